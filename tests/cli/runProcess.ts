import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { bundled } from "../support/compiled.ts";

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Start {
  /** Program that starts the process, such as `nohup`. */
  readonly via?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Module that the process loads first. */
  readonly before?: string;
  /** Descriptor of standard output. Default: a pipe. */
  readonly output?: number;
}

/** Runs `rlkit` in a separate process. `watch` is called with standard output as it grows. */
export async function runProcess(
  cwd: string,
  args: readonly string[],
  watch: (stdout: string, child: ChildProcess) => void = () => {},
  { via, env, before, output }: Start = {},
): Promise<Finished> {
  const command = [...(before ? ["--import", before] : []), bundled("src/cli/rlkit.ts"), ...args];
  const options: SpawnOptions = {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", output ?? "pipe", "pipe"],
  };
  const child = via
    ? spawn(via, [process.execPath, ...command], options)
    : spawn(process.execPath, command, options);
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    watch(stdout, child);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
