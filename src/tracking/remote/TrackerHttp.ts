/** HTTP requests to a tracker's server. The key is sent in the Authorization header and nowhere else. */
import { pageOrigin, refusesOrigin, requireAddress } from "../../http/access.ts";
import { boundedText } from "../../http/body.ts";
import { retryAfter } from "../../http/waiting.ts";
import { reasonOf } from "../../storage/files.ts";

/** A failed request, classified for the caller. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Milliseconds that the server asks the client to wait. */
  readonly retryAfter: number | null;
  /** Whether the server responds but does not let this page's origin read its responses. */
  readonly originRefused: boolean;

  constructor(
    message: string,
    { status = null, retryAfter = null, originRefused = false, cause }: Partial<ServerError> = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.retryAfter = retryAfter;
    this.originRefused = originRefused;
  }

  /** Whether the key is missing or rejected. */
  get refused(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /** Whether the same request may succeed later. */
  get passes(): boolean {
    const { status } = this;
    if (this.originRefused) return false;
    return status === null || status === 408 || status === 429 || status >= 500;
  }
}

/**
 * Whether a server does not let this page's origin read its responses; a run should not start untracked
 * because of that.
 */
export const isOriginRefused = (error: unknown): error is ServerError =>
  error instanceof ServerError && error.originRefused;

export interface TrackerHttpOptions {
  /** Base address that paths are appended to. */
  readonly base: string;
  /** Value of the Authorization header; null for none. */
  readonly authorization: string | null;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Origin of the requesting page, null for none. Defaults to the origin of this thread. */
  readonly origin?: string | null;
}

/** Timeout of a response, ms, so that nothing waits for it forever. */
const LONGEST_ANSWER = 15_000;
/** Bytes of a response after which the rest is not read. */
const MOST = 1_000_000;

export class TrackerHttp {
  readonly #base: string;
  readonly #authorization: string | null;
  readonly #fetch: typeof fetch;
  readonly #origin: string | null;

  constructor({
    base,
    authorization,
    // Browsers reject `fetch` called as a method of another object.
    fetch: own = (...request) => fetch(...request),
    origin = pageOrigin(),
  }: TrackerHttpOptions) {
    this.#base = base;
    this.#authorization = authorization;
    this.#fetch = own;
    this.#origin = origin;
  }

  /**
   * Sends JSON and returns the response's text.
   * @throws ServerError without a response, and for any status but 2xx.
   */
  send(path: string, body: string | null, method = body === null ? "GET" : "POST"): Promise<string> {
    const headers: Record<string, string> = {
      ...(body === null ? {} : { "Content-Type": "application/json" }),
      ...(this.#authorization === null ? {} : { Authorization: this.#authorization }),
    };
    return this.#ask(`${this.#base}${path}`, { method, headers, ...(body === null ? {} : { body }) });
  }

  /**
   * Uploads a file to the address that the server named. It may be another host, so the key is not sent.
   * @param url May be a path on this server.
   * @param headers Each as "name: value".
   */
  async upload(url: string, headers: readonly string[], bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const place = requireAddress(new URL(url, this.#base).href, "uploadUrl");
    const named = headers.map((text): [string, string] => {
      const colon = text.indexOf(":");
      return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
    });
    await this.#ask(place, { method: "PUT", headers: Object.fromEntries(named), body: bytes });
  }

  /** A server's text, safe to show: some servers repeat the credentials of the request. */
  withoutKey(text: string): string {
    const credentials = this.#authorization?.split(" ")[1] ?? "";
    if (credentials === "") return text;
    const isBasic = this.#authorization?.startsWith("Basic ");
    const key = isBasic ? atob(credentials).replace(/^[^:]*:/, "") : credentials;
    return [credentials, key].reduce((shown, secret) => shown.replaceAll(secret, "(the key)"), text);
  }

  async #ask(url: string, request: RequestInit): Promise<string> {
    const host = new URL(url).origin;
    let response: Response;
    try {
      // A redirect must not pass the key to another host.
      response = await this.#fetch(url, {
        ...request,
        redirect: "error",
        signal: AbortSignal.timeout(LONGEST_ANSWER),
      });
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      if (!isLate && (await refusesOrigin(host, this.#origin, this.#fetch)))
        throw new ServerError(
          `${host} does not allow requests of pages from ${this.#origin}. Two ways out: a server of your own that allows this origin ` +
            "(CORS); or a run without a tracker, whose metrics CSV or event file you download and import there",
          { originRefused: true, cause: error },
        );
      throw new ServerError(`${host} does not answer (${reasonOf(error)})`, { cause: error });
    }
    const text = await boundedText(response.body, MOST).catch((error: unknown) => {
      throw new ServerError("the answer was interrupted", { cause: error });
    });
    if (response.ok) return text;
    const seconds = retryAfter(response.headers);
    throw new ServerError(`${host} answered ${response.status}${detailOf(this.withoutKey(text))}`, {
      status: response.status,
      retryAfter: seconds === null ? null : 1000 * seconds,
    });
  }
}

/** The beginning of the server's message, on one line. */
const detailOf = (text: string): string => {
  const line = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  return line === "" ? "" : `: ${line}`;
};
