import { utimes } from "node:fs/promises";

/** Says that a file is wanted now, so that it is not collected as an old one. @returns false where there is none. */
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
