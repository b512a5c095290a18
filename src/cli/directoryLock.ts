/** One writer per directory: a lock file in it names the process. */
import { constants, copyFile, link, readFile, rmdir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { codeOf, randomNonce } from "../storage/files.ts";
import { nodeFileStore } from "../storage/node/index.ts";
import { usageError } from "./CliIo.ts";

const LOCK_FILE = ".rlkit-lock";
/** Delay between checks of a lock that another process is removing. */
const RETRY_MS = 10;

const lockSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /**
   * When the process started, to tell it from a later process with the same pid; null where the
   * system does not say.
   */
  started: z.string().nullable(),
  /** The command that it runs. Locks of earlier versions do not say. */
  command: z.string().default("rlkit train"),
});
type Owner = z.infer<typeof lockSchema>;

/** The command that locks a directory. */
export interface LockUser {
  readonly command: string;
  /** The option that names the directory. */
  readonly option: string;
}

const TRAIN: LockUser = { command: "rlkit train", option: "--out" };

/**
 * Locks a directory for this process and creates it if it does not exist. Resolves to a function that
 * releases the lock, and removes the directory if this call created it and it is empty.
 * @throws CliError naming the process that holds the lock; StorageError where the
 *   directory cannot be written.
 */
export async function lockDirectory(dir: string, user: LockUser = TRAIN): Promise<() => Promise<void>> {
  const store = nodeFileStore();
  const existed = await store.exists(dir);
  const lock = join(dir, LOCK_FILE);
  const claim = `${lock}.${randomNonce()}`;
  const { command } = user;
  const owner: Owner = { pid: process.pid, host: hostname(), started: await startOf(process.pid), command };
  await store.write(claim, new TextEncoder().encode(`${JSON.stringify(owner)}\n`));
  try {
    while (!(await placed(claim, lock))) await removeStale(dir, lock, { claim, ...user });
  } finally {
    await unlink(claim);
  }
  return async () => {
    await unlink(lock).catch(() => undefined);
    if (!existed) await rmdir(dir).catch(() => undefined);
  };
}

/** Creates the file `lock` from the claim, atomically. @returns false if the file exists. */
async function placed(claim: string, lock: string): Promise<boolean> {
  try {
    await link(claim, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
  }
  // For file systems without hard links.
  try {
    await copyFile(claim, lock, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes a lock whose process is gone. @throws CliError if that process may be alive, or is not named. */
async function removeStale(
  dir: string,
  lock: string,
  { claim, command, option }: LockUser & { readonly claim: string },
): Promise<void> {
  const found = await readFile(lock, "utf8").catch(() => null);
  // Released in the meantime.
  if (found === null) return;
  const owner = ownerIn(found);
  if (owner === null)
    throw usageError(
      `${option}: ${dir} is locked by ${lock}, which names no process; delete it if none writes there`,
    );
  if (await mayLive(owner)) {
    const elsewhere = owner.host === hostname() ? "" : ` on ${owner.host}; if that is gone, delete ${lock}`;
    const other = owner.command === command ? `another ${command}` : owner.command;
    throw usageError(
      `${option}: ${other} writes to ${dir}: process ${owner.pid}${elsewhere}; stop it, or choose another directory`,
    );
  }
  // One process at a time: another that also found the lock stale must not remove the new
  // lock that replaced it.
  const guard = `${lock}.stale`;
  if (await placed(claim, guard)) {
    const still = await readFile(lock, "utf8").catch(() => null);
    if (still === found) await unlink(lock);
    await unlink(guard);
    return;
  }
  const other = ownerIn(await readFile(guard, "utf8").catch(() => ""));
  if (other !== null && !(await mayLive(other))) await unlink(guard).catch(() => undefined);
  await sleep(RETRY_MS);
}

function ownerIn(text: string): Owner | null {
  try {
    return lockSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether a process may still be running; always true for a process of another machine. */
async function mayLive({ pid, host, started }: Owner): Promise<boolean> {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other error means that the process exists and belongs to another user.
    if (codeOf(error) === "ESRCH") return false;
  }
  return started === null || started === (await startOf(pid));
}

/** Boot id and clock tick at which a process started; null except on Linux. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The process name may contain spaces and brackets. The start time is field 22, the 20th after the name.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return ticks === undefined ? null : `${boot.trim()} ${ticks}`;
  } catch {
    return null;
  }
}
