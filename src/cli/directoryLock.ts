/** One writer for each output directory: a file in it that names the process. */
import { constants, copyFile, link, readFile, rmdir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { nodeFileStore } from "../storage/node/index.ts";
import { randomNonce } from "../storage/paths.ts";
import { usageError } from "./CliError.ts";

const LOCK_FILE = ".rlkit-lock";
/** Between two looks at a lock that another process takes away. */
const RETRY_MS = 10;

const lockSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** When the process started, so that another one with its number is not taken for it; null where the system does not say. */
  started: z.string().nullable(),
});
type Owner = z.infer<typeof lockSchema>;

/**
 * Takes a directory, made where it is not there, for this process. What is returned gives it back, and removes it where
 * it was made and is empty.
 * @throws CliError naming the process that has it; StorageError where the directory cannot be written.
 */
export async function lockDirectory(dir: string): Promise<() => Promise<void>> {
  const store = nodeFileStore();
  const existed = await store.exists(dir);
  const lock = join(dir, LOCK_FILE);
  const claim = `${lock}.${randomNonce()}`;
  const owner: Owner = { pid: process.pid, host: hostname(), started: await startOf(process.pid) };
  await store.write(claim, new TextEncoder().encode(`${JSON.stringify(owner)}\n`));
  try {
    while (!(await placed(claim, lock))) await removeStale(dir, lock, claim);
  } finally {
    await unlink(claim);
  }
  return async () => {
    await unlink(lock).catch(() => undefined);
    if (!existed) await rmdir(dir).catch(() => undefined);
  };
}

/** Puts the claim where nobody has one, whole and at once. */
async function placed(claim: string, lock: string): Promise<boolean> {
  try {
    await link(claim, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
  }
  // Of a file system without links.
  try {
    await copyFile(claim, lock, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Takes away a lock whose process is gone. @throws CliError where it is not. */
async function removeStale(dir: string, lock: string, claim: string): Promise<void> {
  const found = await readFile(lock, "utf8").catch(() => null);
  // Given back meanwhile.
  if (found === null) return;
  const owner = ownerIn(found);
  if (owner === null)
    throw usageError(
      `--out: ${dir} is locked by ${lock}, which names no process; delete it if none writes there`,
    );
  if (await mayLive(owner)) {
    const elsewhere = owner.host === hostname() ? "" : ` on ${owner.host}; if that is gone, delete ${lock}`;
    throw usageError(
      `--out: another rlkit train writes to ${dir}: process ${owner.pid}${elsewhere}; stop it, or choose another directory`,
    );
  }
  // One at a time: who sees it stale later must not take away the lock that came into its place.
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

/** Whether a process may still be there; of another machine's that is not known. */
async function mayLive({ pid, host, started }: Owner): Promise<boolean> {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other error is of a process that is there and another user's.
    if (codeOf(error) === "ESRCH") return false;
  }
  return started === null || started === (await startOf(pid));
}

/** Boot and clock tick at which a process started, where the system is Linux. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name before it may hold spaces and brackets; the start is the 22nd field, the 20th after the name.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return ticks === undefined ? null : `${boot.trim()} ${ticks}`;
  } catch {
    return null;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
