/** The text form of a key: `rk_<id>_<secret>`. */
import { randomBytes } from "node:crypto";

export interface ApiKey {
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
