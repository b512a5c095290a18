/** Requests to the remote platform. The key is sent only in the Authorization header. */
import { bodyChunks, textLines } from "../http/body.ts";
import { inTime, pause, retryAfter, type Silence } from "../http/waiting.ts";
import { FieldError } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { reasonOf } from "../storage/files.ts";
import type { RemoteHttpOptions } from "./clientOptions.ts";
import { apiErrorOf, bodyOf, parseErrorBody } from "./errors/apiErrorOf.ts";
import { RemoteApiError, RemoteAuthError, RemoteError } from "./errors/RemoteError.ts";

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

interface Asked {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Forms and blobs are sent unchanged, other objects as JSON. */
  readonly body?: object | FormData | Blob;
  /** Time limit (default: `request_timeout`). */
  readonly seconds?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether a 429 is waited out if the time limit allows (default: true). */
  readonly waits?: boolean;
}

interface Sent extends Asked {
  readonly accept: string;
  readonly seconds: number;
}

/** Encodes a query string. Omits `null` and `undefined`, and repeats the key for each item of a list. */
function queryOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(key, String(one));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** A limit on the time without data. @param end Closes the connection. */
export const silenceOf = (seconds: number, end: () => void): Silence => ({
  seconds,
  end,
  error: () => new RemoteApiError({ detail: `no data received for ${seconds} s`, status_code: 0 }),
});

export class RemoteHttp {
  readonly #options: RemoteHttpOptions;

  constructor(options: RemoteHttpOptions) {
    this.#options = options;
  }

  get base_url(): string {
    return this.#options.base_url;
  }

  get upload_timeout(): number {
    return this.#options.upload_timeout;
  }

  /**
   * The platform's response: the `data` of its envelope, JSON without an envelope, or plain text.
   * @throws RemoteAuthError and RemoteApiError, like every method here.
   */
  async ask(method: string, path: string, asked: Asked = {}): Promise<unknown> {
    const accept = "application/json";
    const { seconds = this.#options.request_timeout } = asked;
    return this.#within({ ...asked, accept, seconds }, true, async (signal, sent) => {
      const response = await this.#send(method, path, sent, signal);
      return this.#contentOf(path, response.status, await response.text());
    });
  }

  /** Text of one content type, such as CSV. */
  async text(path: string, type: string, query: Query): Promise<string> {
    const seconds = this.#options.request_timeout;
    return this.#within({ query, accept: type, seconds }, true, async (signal, sent) => {
      const response = await this.#send("GET", path, sent, signal);
      const found = response.headers.get("Content-Type") ?? "nothing";
      if (found.split(";")[0]?.trim() === type) return response.text();
      const detail = `expected ${type}, found ${found}`;
      throw new RemoteApiError({ detail, status_code: response.status });
    });
  }

  /**
   * The lines of a response as they arrive. Only the start of the response has a time limit,
   * `upload_timeout`. Aborting `asked.signal` throws its reason.
   */
  async *lines(
    method: string,
    path: string,
    asked: Asked & { readonly accept: string },
  ): AsyncGenerator<string, void, undefined> {
    const sent = { ...asked, seconds: this.#options.upload_timeout };
    const { body } = await this.#within(sent, false, (signal, request) =>
      this.#send(method, path, request, signal),
    );
    if (body === null) return;
    try {
      yield* textLines(body);
    } catch (error) {
      throw asked.signal?.aborted ? error : this.#noAnswer(error);
    }
  }

  /**
   * Downloads a complete file. A download may take as long as it needs, but not pause for longer than
   * `request_timeout`.
   * @param place Path on the platform, or a URL. The key is not sent to other hosts.
   */
  async bytes(place: string): Promise<Uint8Array<ArrayBuffer>> {
    const seconds = this.#options.request_timeout;
    const connection = new AbortController();
    const sent = { accept: "*/*", seconds, signal: connection.signal };
    const { body } = await this.#within(sent, false, (signal, request) =>
      this.#send("GET", place, request, signal),
    );
    if (body === null) return new Uint8Array();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const silence = silenceOf(seconds, () => connection.abort());
    try {
      for await (const chunk of bodyChunks(body, (read) => inTime(read, silence))) chunks.push(chunk);
    } catch (error) {
      throw error instanceof RemoteError ? error : this.#noAnswer(error);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  /**
   * Runs `work` with a signal that aborts at the time limit.
   * @param whole Whether the error message speaks of the whole response or only of its start.
   */
  async #within<T>(
    sent: Sent,
    whole: boolean,
    work: (signal: AbortSignal, sent: Sent) => Promise<T>,
  ): Promise<T> {
    const late = AbortSignal.timeout(sent.seconds * 1000);
    const controller = new AbortController();
    const abort = (): void => controller.abort(late.reason);
    late.addEventListener("abort", abort);
    const signals = [controller.signal, ...(sent.signal ? [sent.signal] : [])];
    try {
      return await work(AbortSignal.any(signals), sent);
    } catch (error) {
      if (late.aborted && controller.signal.aborted)
        throw this.#noAnswer(new Error(`no ${whole ? "whole answer" : "answer"} within ${sent.seconds} s`));
      throw sent.signal?.aborted || error instanceof RemoteError ? error : this.#noAnswer(error);
    } finally {
      late.removeEventListener("abort", abort);
    }
  }

  async #send(method: string, place: string, sent: Sent, signal: AbortSignal): Promise<Response> {
    const { base_url, api_key } = this.#options;
    if (api_key === null) {
      const cause = new FieldError("api_key", "found none; pass it to RemoteClient, or set RLKIT_API_KEY");
      throw new RemoteAuthError(cause.message, { cause });
    }
    const { accept, body, query = {}, waits = true } = sent;
    const url = new URL(`${place.startsWith("/") ? base_url : ""}${place}${queryOf(query)}`);
    // Their content types come with them.
    const isWhole = body === undefined || body instanceof FormData || body instanceof Blob;
    const ends = performance.now() + 1000 * sent.seconds;
    for (;;) {
      const response = await fetch(url, {
        method,
        signal,
        headers: {
          Accept: accept,
          ...(url.origin === new URL(base_url).origin && { Authorization: `Bearer ${api_key}` }),
          ...(!isWhole && { "Content-Type": "application/json" }),
          ...sent.headers,
        },
        ...(body !== undefined && { body: isWhole ? body : JSON.stringify(body) }),
      });
      if (response.ok) return response;
      const text = await response.text();
      const wait = response.status === 429 && waits ? retryAfter(response.headers) : null;
      if (wait === null || performance.now() + 1000 * wait >= ends)
        throw this.#refusal(place, response, text);
      await pause(1000 * wait, signal);
      signal.throwIfAborted();
    }
  }

  #refusal(path: string, { status, headers }: Response, text: string): Error {
    const { detail, extras } = parseErrorBody(this.#withoutKey(text));
    const wait = retryAfter(headers);
    const retry_after = wait === null ? {} : { retry_after: wait };
    return apiErrorOf({ path, status_code: status, detail, extras: { ...retry_after, ...extras } });
  }

  #contentOf(path: string, status_code: number, text: string): unknown {
    let content: unknown;
    try {
      content = text === "" ? null : JSON.parse(text);
    } catch {
      return text;
    }
    if (!isMapping(content) || typeof content.ok !== "boolean") return content;
    if (content.ok) return content.data ?? null;
    throw apiErrorOf({ path, status_code, ...bodyOf(content) });
  }

  /** Removes the key from a server's text, because some servers echo the request. */
  #withoutKey(text: string): string {
    const { api_key } = this.#options;
    return api_key === null ? text : text.replaceAll(api_key, "(the key)");
  }

  #noAnswer(cause: unknown): RemoteApiError {
    // When a fetch fails, Node puts the reason in the cause.
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    return new RemoteApiError({
      detail: `${this.base_url} does not answer (${reasonOf(inner)})`,
      status_code: 0,
      hint: "Check base_url (RLKIT_BASE_URL), and whether the platform is running. The platform must also allow the origin of a web page that calls it.",
      cause,
    });
  }
}
