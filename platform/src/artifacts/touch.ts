import { utimes } from "node:fs/promises";

/**
 * Updates a file's times, so that it is not garbage-collected as old.
 * @returns false if the file does not exist.
 */
export async function touch(file: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(file, now, now);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
