/** Creates the private database of a data directory. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, constants, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { SystemUser } from "./databaseUser.ts";

const run = promisify(execFile);

/** The only address that the server listens on. */
export const HOST = "127.0.0.1";
/** Name of the database's user. */
export const USER = "rlkit";

export const settingsSchema = z.object({ port: z.int(), password: z.string() });

export type Settings = z.infer<typeof settingsSchema>;

interface Place {
  readonly data: string;
  readonly directory: string;
  readonly user: SystemUser | null;
  readonly binaries: string;
  readonly file: string;
}

/** Creates an empty database. Its settings are written last, so an interrupted creation starts over. */
export async function createDatabase({ data, directory, user, binaries, file }: Place): Promise<void> {
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { mode: 0o700 });
  const password = randomBytes(24).toString("base64url");
  const passwordFile = path.join(directory, "initial-password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const owned of [data, passwordFile]) await chown(owned, user.uid, user.gid);
  try {
    await run(
      path.join(binaries, "initdb"),
      [
        "-D",
        data,
        "-U",
        USER,
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "-E",
        "UTF8",
        "--no-locale",
      ],
      { cwd: directory, ...user },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = (await isReachable(directory))
      ? ""
      : " (PostgreSQL's user must be able to pass through every directory above it)";
    throw new Error(`no database could be created in ${data}${hint}: ${reason}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  const settings: Settings = { port: await freePort(HOST), password };
  const pending = `${file}.new`;
  await writeFile(pending, JSON.stringify(settings), { mode: 0o600 });
  await rename(pending, file);
}

/** Whether every user may traverse the directory and all its parents. */
async function isReachable(directory: string): Promise<boolean> {
  for (let at = directory; at !== path.dirname(at); at = path.dirname(at)) {
    if (((await stat(at)).mode & constants.S_IXOTH) === 0) return false;
  }
  return true;
}

/** Finds a free port of an address. */
export const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      // A server that listens on a TCP port has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
