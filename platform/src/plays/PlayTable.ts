/** Play files that were posted: pages that anyone with their short link can open. */
import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Database } from "../database/Database.ts";

const Row = z.object({
  html: z.string(),
  title: z.string(),
  /** PNG; null for none. */
  poster: z.instanceof(Buffer).nullable(),
});

/** A page, and what others show of it. */
export type Play = Readonly<z.infer<typeof Row>>;

const LETTERS = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
/** Letters of an id: 46 bits, too many to be guessed. */
const LENGTH = 8;

export const PLAY_ID = /^[2-9a-zA-Z]{8}$/;

const newId = (): string => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

export class PlayTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a play. @param key Id of the key that may delete it. @returns its id. */
  async add(key: string, { html, title, poster }: Play): Promise<string> {
    const id = newId();
    const sql = "INSERT INTO plays (id, key, html, title, poster) VALUES ($1, $2, $3, $4, $5)";
    await this.#database.query(sql, [id, key, html, title, poster]);
    return id;
  }

  /** Null for an unknown or deleted one. */
  async find(id: string): Promise<Play | null> {
    if (!PLAY_ID.test(id)) return null;
    const sql = "SELECT html, title, poster FROM plays WHERE id = $1";
    const [row] = await this.#database.query(sql, [id]);
    return row ? Row.parse(row) : null;
  }

  /** @returns whether the key had stored it. */
  async remove(id: string, key: string): Promise<boolean> {
    const sql = "DELETE FROM plays WHERE id = $1 AND key = $2 RETURNING id";
    return (await this.#database.query(sql, [id, key])).length > 0;
  }
}
