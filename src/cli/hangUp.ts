/** Whether the process was started to outlive its terminal. */
import { type BigIntStats, fstatSync, readFileSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";

/**
 * The state of an open file descriptor.
 *
 * On Node 20.20.2, `fstatSync(1)` on a pipe has a side effect: `import` no longer resolves symbolic links. A
 * module loaded through one (npm link, pnpm, workspaces) is then loaded a second time, and what it registers
 * is not found. With `bigint: true` this does not happen. Delete this function
 * when `tests/cli/descriptorStats.test.ts` passes with a plain `fstatSync`.
 */
export const descriptorStats = (descriptor: number): BigIntStats => fstatSync(descriptor, { bigint: true });

const NULL_DEVICE = "/dev/null";
/** Where `nohup` sends output that would go to the terminal. */
const OUTPUT = "nohup.out";

/**
 * Whether to ignore SIGHUP, as `nohup` asks. Node resets ignored signals to their defaults when it starts
 * (its `PlatformInit`). So this looks for other traces of `nohup`: its name in the shell variable `_`,
 * standard input from the null device opened for writing, and output to `nohup.out`. Set `RLKIT_NOHUP=1`
 * where a process is started in another way.
 */
export function hangUpIsIgnored(): boolean {
  const { _: started = "", RLKIT_NOHUP: asked = "" } = process.env;
  return (
    (asked !== "" && asked !== "0") ||
    basename(started) === "nohup" ||
    [signalIsIgnored, inputIsUnreadable, outputIsItsOwn].some(holds)
  );
}

/** A sign that cannot be checked, for example without /proc, counts as absent. */
function holds(sign: () => boolean): boolean {
  try {
    return sign();
  } catch {
    return false;
  }
}

/** On Linux, for a Node that keeps signals ignored. Bit n - 1 stands for signal n, and SIGHUP is signal 1. */
function signalIsIgnored(): boolean {
  const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return mask !== undefined && (BigInt(`0x${mask}`) & 1n) === 1n;
}

/** GNU's `nohup` replaces a terminal on standard input with the null device, opened for writing only. */
function inputIsUnreadable(): boolean {
  if (descriptorStats(0).rdev !== statSync(NULL_DEVICE, { bigint: true }).rdev) return false;
  try {
    readSync(0, new Uint8Array(1));
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EBADF";
  }
}

function outputIsItsOwn(): boolean {
  const places = [OUTPUT, join(homedir(), OUTPUT)].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? [found] : [];
  });
  return [1, 2].some((descriptor) => {
    const { dev, ino } = descriptorStats(descriptor);
    return places.some((place) => place.dev === dev && place.ino === ino);
  });
}
