/** Authentication by the API key in the Authorization header. */
import type { FastifyRequest } from "fastify";
import { allows } from "../keys/apiKey.ts";
import type { KeyRecord, KeyStore } from "../keys/KeyStore.ts";
import { ApiError } from "./ApiError.ts";
import { RateLimit } from "./RateLimit.ts";
import type { Route } from "./route.ts";

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

  /**
   * @throws ApiError 401 without a valid key, 403 if it lacks the scope or is bound to a project and the route is
   * not, 429 after too many invalid keys.
   */
  async require(
    { headers, ip }: FastifyRequest,
    { scope, reach }: Pick<Route, "scope" | "reach">,
  ): Promise<KeyRecord> {
    const [, text] = BEARER.exec(headers.authorization ?? "") ?? [];
    const key = text === undefined ? null : await this.#keys.verify(text);
    if (!key) {
      if (text !== undefined) {
        // Only a wrong key is refused for others: everyone behind one address shares the limit.
        this.#wrong.check(ip, "wrong keys from this address");
        this.#wrong.count(ip);
      }
      const found = text === undefined ? "found none" : "it is unknown, revoked or expired";
      throw new ApiError(401, `api_key: ${found}; send Authorization: Bearer rk_...`, {
        headers: { "WWW-Authenticate": "Bearer" },
      });
    }
    if (scope !== null && !allows(key.scopes, scope))
      throw new ApiError(403, `api_key: it allows ${key.scopes.join(", ")}, and this needs ${scope}`);
    if (reach === "platform" && key.project !== null)
      throw new ApiError(403, `api_key: it is bound to the project "${key.project}"`);
    return key;
  }
}
