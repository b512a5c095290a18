/** The platform's API keys. Only an HMAC of each secret is stored. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { apiKeyText, newApiKey, parseApiKey, type Scope, scopeSchema } from "./apiKey.ts";

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  /** The only project that the key may access; null means all. */
  project: z.string().nullable(),
  created_at: z.date(),
  expires_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
  used_at: z.date().nullable(),
});

export type KeyRecord = z.infer<typeof rowSchema>;

const COLUMNS = "id, name, scopes, project, created_at, expires_at, revoked_at, used_at";

interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly project?: string | null;
  readonly expires_at?: Date | null;
}

export class KeyStore {
  readonly #database: Database;
  readonly #pepper: Uint8Array;

  constructor(database: Database, pepper: Uint8Array) {
    this.#database = database;
    this.#pepper = pepper;
  }

  /** Creates a key. @returns its text, which cannot be retrieved later. */
  async create({ name, scopes, project = null, expires_at = null }: NewKey): Promise<string> {
    const key = newApiKey();
    await this.#database.query(
      "INSERT INTO keys (id, hash, name, scopes, project, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
      [key.id, this.#hash(key.secret), name, scopes, project, expires_at],
    );
    return apiKeyText(key);
  }

  /** The key with this text, or null if the text is not a valid key at the time `now`. */
  async verify(text: string, now = new Date()): Promise<KeyRecord | null> {
    const key = parseApiKey(text);
    if (!key) return null;
    const [row] = await this.#database.query(`SELECT ${COLUMNS}, hash FROM keys WHERE id = $1`, [key.id]);
    // An unknown ID takes as long as a wrong secret.
    const kept = z.instanceof(Uint8Array).safeParse(row?.hash).data ?? new Uint8Array(32);
    const matches = timingSafeEqual(kept, this.#hash(key.secret));
    if (!row || !matches) return null;
    const record = rowSchema.parse(row);
    const expired = record.expires_at !== null && record.expires_at <= now;
    if (record.revoked_at !== null || expired) return null;
    await this.#database.query("UPDATE keys SET used_at = $2 WHERE id = $1", [key.id, now]);
    return record;
  }

  /** All keys, oldest first. */
  async list(): Promise<readonly KeyRecord[]> {
    const rows = await this.#database.query(`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`);
    return rows.map((row) => rowSchema.parse(row));
  }

  /** Revokes a key. @returns whether an unrevoked key with this ID existed. */
  async revoke(id: string): Promise<boolean> {
    const rows = await this.#database.query(
      "UPDATE keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id",
      [id],
    );
    return rows.length > 0;
  }

  #hash(secret: string): Uint8Array {
    return createHmac("sha256", this.#pepper).update(secret).digest();
  }
}
