/** The secret that keys are hashed with. It is not in the database, so a copy of that alone is useless. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Reads the data directory's `pepper` file, which the first call creates. */
export async function readPepper(directory: string): Promise<Uint8Array> {
  const file = path.join(directory, "pepper");
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFile(file);
}
