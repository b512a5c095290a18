/** Authentication by the API key in the Authorization header. */
import type { FastifyRequest } from "fastify";
import type { KeyRecord, KeyStore } from "../keys/KeyStore.ts";
import { allows, type Scope } from "../keys/scopes.ts";
import { ApiError } from "./ApiError.ts";
import { RateLimit } from "./RateLimit.ts";

const BEARER = /^Bearer +(\S+)$/i;

/** Invalid keys that one address may send per minute. */
const MOST_WRONG = 10;

export class Authentication {
  readonly #keys: KeyStore;
  readonly #wrong: RateLimit;

  constructor(keys: KeyStore, now?: () => number) {
    this.#keys = keys;
    this.#wrong = new RateLimit({ most: MOST_WRONG, window_s: 60, ...(now ? { now } : {}) });
  }

  /** @throws ApiError 401 without a valid key, 403 if it lacks the scope, 429 after too many invalid keys. */
  async require({ headers, ip }: FastifyRequest, scope: Scope): Promise<KeyRecord> {
    this.#wrong.check(ip, "wrong keys from this address");
    const [, text] = BEARER.exec(headers.authorization ?? "") ?? [];
    const key = text === undefined ? null : await this.#keys.verify(text);
    if (!key) {
      if (text !== undefined) this.#wrong.count(ip);
      const found = text === undefined ? "found none" : "it is unknown, revoked or expired";
      throw new ApiError(401, `api_key: ${found}; send Authorization: Bearer rk_...`, {
        headers: { "WWW-Authenticate": "Bearer" },
      });
    }
    if (allows(key.scopes, scope)) return key;
    throw new ApiError(403, `api_key: it allows ${key.scopes.join(", ")}, and this needs ${scope}`);
  }
}
