/** Keys: their text `rk_<id>_<secret>`, what they allow, and the secret that they are hashed with. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

interface ApiKey {
  /** 12 characters that identify the key in the database and in lists. */
  readonly id: string;
  /** 32 random bytes as base64url. Never stored. */
  readonly secret: string;
}

const PATTERN = /^rk_([a-f0-9]{12})_([A-Za-z0-9_-]{43})$/;

export const newApiKey = (): ApiKey => ({
  id: randomBytes(6).toString("hex"),
  secret: randomBytes(32).toString("base64url"),
});

export const apiKeyText = ({ id, secret }: ApiKey): string => `rk_${id}_${secret}`;

/** Parses a key's text. @returns null if it is not a key. */
export function parseApiKey(text: string): ApiKey | null {
  const [, id, secret] = PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/**
 * Reads the secret that keys are hashed with, in the data directory's `pepper` file, which the first call creates. It is not in
 * the database, so a copy of that alone is useless.
 */
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

/** `read` reads, `submit` starts and controls runs, `worker` transfers artifacts, `admin` does everything. */
export const scopeSchema = z.enum(["read", "submit", "worker", "admin"]);

export type Scope = z.infer<typeof scopeSchema>;

export const allows = (scopes: readonly Scope[], wanted: Scope): boolean =>
  scopes.includes(wanted) || scopes.includes("admin");
