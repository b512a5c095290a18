/** An empty database for each platform of a process: made once, because `initdb` takes as long as ten copies. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  freePort,
  HOST,
  type Settings,
  settingsSchema,
} from "../../../platform/src/database/createDatabase.ts";
import { PrivatePostgres } from "../../../platform/src/database/PrivatePostgres.ts";

interface Empty {
  /** Its files, as `tar` packs them. In memory, because Vitest ends its processes without their handlers. */
  readonly files: Buffer;
  readonly settings: Settings;
}

let made: Promise<Empty> | null = null;

async function make(): Promise<Empty> {
  const parent = await mkdtemp(path.join(tmpdir(), "rlkit-empty-"));
  try {
    // PostgreSQL's user, which may be another one, must be able to traverse the directory.
    await chmod(parent, 0o755);
    const directory = path.join(parent, "data");
    const postgres = await PrivatePostgres.open({ directory, log: () => undefined });
    await postgres.close();
    const files = execFileSync("tar", ["-cf", "-", "-C", directory, "postgres"], {
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    const text = await readFile(PrivatePostgres.settingsFile(directory), "utf8");
    return { files, settings: settingsSchema.parse(JSON.parse(text)) };
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Puts an empty database, which gets a port of its own, into a platform's new data directory. */
export async function copyDatabase(directory: string): Promise<void> {
  made ??= make();
  const { files, settings } = await made;
  await mkdir(directory);
  // Its files belong to PostgreSQL's user.
  execFileSync("tar", ["-xpf", "-", "-C", directory], { input: files });
  const own: Settings = { ...settings, port: await freePort(HOST) };
  await writeFile(PrivatePostgres.settingsFile(directory), JSON.stringify(own), { mode: 0o600 });
}
