/** Requests to a tracker's server. The key is in the Authorization header and nowhere else. */
import { originRefusal, pageOrigin } from "./pageOrigin.ts";

/** What an answer means for who asked. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter: number | null;
  /** The server is there, and does not let this page's origin read its answers. */
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

  /** The key is missing or refused. */
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

/** Whether a server does not let this page's origin read its answers: no run should start untracked for that. */
export const isOriginRefused = (error: unknown): error is ServerError =>
  error instanceof ServerError && error.originRefused;

export interface TrackerHttpOptions {
  /** Address that paths are put behind. */
  readonly base: string;
  /** Value of the Authorization header; null for none. */
  readonly authorization: string | null;
  /** `fetch` unless given. */
  readonly fetch?: typeof fetch;
  /** Origin of the page that asks, null for none; that of this thread unless given. */
  readonly origin?: string | null;
}

/** Longest that an answer may take, ms: what waits for it must come to an end. */
const LONGEST_ANSWER = 15_000;
/** Most of an answer that is read, bytes. */
const MOST = 1_000_000;

/** @throws RangeError naming the option unless it is an http or https address. */
export function requireAddress(text: string, place: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RangeError(`${place}: found ${JSON.stringify(text)}, allowed an http or https address`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new RangeError(`${place}: found ${JSON.stringify(text)}, allowed an http or https address`);
  // Addresses are shown in messages.
  if (url.username !== "" || url.password !== "")
    throw new RangeError(
      `${place}: has a user or a password, allowed an address without; give the key apart`,
    );
  return url.href.replace(/\/+$/, "");
}

export class TrackerHttp {
  readonly #base: string;
  readonly #authorization: string | null;
  readonly #fetch: typeof fetch;
  readonly #origin: string | null;

  constructor({
    base,
    authorization,
    // Browsers refuse `fetch` as the method of another object.
    fetch: own = (...request) => fetch(...request),
    origin = pageOrigin(),
  }: TrackerHttpOptions) {
    this.#base = base;
    this.#authorization = authorization;
    this.#fetch = own;
    this.#origin = origin;
  }

  /** Sends JSON and gives the answer's text. @throws ServerError for no answer, and for any but 2xx. */
  send(path: string, body: string | null, method = body === null ? "GET" : "POST"): Promise<string> {
    const headers: Record<string, string> = {
      ...(body === null ? {} : { "Content-Type": "application/json" }),
      ...(this.#authorization === null ? {} : { Authorization: this.#authorization }),
    };
    return this.#ask(`${this.#base}${path}`, { method, headers, ...(body === null ? {} : { body }) });
  }

  /**
   * Puts a file where the server said, which may be another host: without the key.
   * @param url May be a path of this server.
   * @param headers As "name: value".
   */
  async upload(url: string, headers: readonly string[], bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const place = requireAddress(new URL(url, this.#base).href, "uploadUrl");
    const named = headers.map((text): [string, string] => {
      const colon = text.indexOf(":");
      return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
    });
    await this.#ask(place, { method: "PUT", headers: Object.fromEntries(named), body: bytes });
  }

  /** A server's text as it may be shown: some tell what they were asked with. */
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
      // Another host must not get the key.
      response = await this.#fetch(url, {
        ...request,
        redirect: "error",
        signal: AbortSignal.timeout(LONGEST_ANSWER),
      });
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      const refusal = isLate ? null : await originRefusal(host, this.#origin, this.#fetch);
      if (refusal !== null) throw new ServerError(refusal, { originRefused: true, cause: error });
      const reason = error instanceof Error ? error.message : String(error);
      throw new ServerError(`${host} does not answer (${reason})`, { cause: error });
    }
    const text = await textOf(response);
    if (response.ok) return text;
    throw new ServerError(`${host} answered ${response.status}${detailOf(this.withoutKey(text))}`, {
      status: response.status,
      retryAfter: waitOf(response.headers.get("Retry-After")),
    });
  }
}

/** The beginning of what the server says, on one line. */
const detailOf = (text: string): string => {
  const line = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  return line === "" ? "" : `: ${line}`;
};

/** Milliseconds of a Retry-After header in seconds. */
const waitOf = (header: string | null): number | null =>
  header !== null && /^\d+$/.test(header.trim()) ? Number(header) * 1000 : null;

/** The first megabyte of an answer; the rest is not read. */
async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      read += value.length;
      if (read < MOST) continue;
      await reader.cancel();
      return text;
    }
  } catch (error) {
    throw new ServerError("the answer broke off", { cause: error });
  }
}
