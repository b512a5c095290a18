/**
 * Downloads a file of the hub into a store. An interrupted download can be resumed, and the file
 * appears only when it is complete.
 */
import { z } from "zod";
import { bodyChunks } from "../http/body.ts";
import { inTime } from "../http/waiting.ts";
import { reasonOf, sha256Hasher } from "../storage/files.ts";
import { type FileStore, isStorageError } from "../storage/index.ts";
import { BlockWriter } from "./BlockWriter.ts";

/** Progress of a download. */
export interface DownloadEvent {
  readonly event: "download";
  /** Bytes received so far. */
  readonly received: number;
  /** Size of the whole file in bytes; `null` if the server does not state it. */
  readonly total: number | null;
}

/** @internal What a file must be. */
export interface ExpectedFile {
  /** In bytes. */
  readonly size: number;
  /** SHA-256; `null` if the git id is known instead. */
  readonly sha256: string | null;
  /** Git's id of the content. */
  readonly git: string | null;
}

/** @internal */
interface DownloadOptions {
  readonly store: FileStore;
  /** The error of a download that fails, from the address and the reason. */
  readonly error: (message: string, options?: ErrorOptions) => Error;
  /** What the file must be, if known. Such a download resumes without asking the server about the version. */
  readonly expected?: ExpectedFile;
  readonly headers?: Readonly<Record<string, string>>;
  /** The problem behind a status other than success (default: the status). */
  readonly problemOf?: (response: Response) => string;
  readonly onEvent?: (event: DownloadEvent) => void;
  /** Called with the first bytes of the file. If it throws, the download ends. */
  readonly requireHead?: (head: Uint8Array) => void;
  /** Milliseconds without data after which a connection counts as broken (default: 30,000). */
  readonly stall_ms?: number;
  /** Cancels the download. The bytes received so far are kept, so that a later download can resume. */
  readonly signal?: AbortSignal;
}

const STALL_MS = 30_000;
/** Consecutive broken connections without a new byte after which the download fails. */
const MOST_BREAKS = 3;
/** Record of the version that a part file belongs to. */
const Part = z.object({ validator: z.string() });

/** The connection broke; a new connection may succeed. */
class BrokenError extends Error {}

/**
 * @internal
 * Downloads a file to a path of the store, using a part file beside it.
 * @throws the error of the options, naming the address: for a 404 or other error status, repeatedly broken
 *   connections, a file that is not the expected one, or a full disk.
 */
export async function download(address: string, path: string, options: DownloadOptions): Promise<void> {
  const part = new PartFile(options.store, path, options.expected ?? null);
  await part.open();
  const failed = (reason: string, cause: unknown): Error => options.error(`${address}: ${reason}`, { cause });
  let breaks = 0;
  for (;;) {
    const before = part.size;
    try {
      await receive(address, part, options);
      return await part.finish();
    } catch (error) {
      if (options.signal?.aborted)
        throw failed(`cancelled after ${part.size} bytes; fetch it again to resume`, error);
      if (isStorageError(error, "full")) {
        await part.drop();
        throw failed(`no room for the file: ${error.message}`, error);
      }
      if (!(error instanceof BrokenError)) {
        await part.drop();
        throw failed(reasonOf(error), error);
      }
      breaks = part.size > before ? 0 : breaks + 1;
      if (breaks >= MOST_BREAKS) throw failed(reasonOf(error), error);
    }
  }
}

/** The identity of an expected file, in the place of the server's own. */
const identityOf = ({ sha256, git }: ExpectedFile): string => sha256 ?? git ?? "";

/** Bytes read at a time. */
const READ = 2 ** 23;

/** The bytes of a file in the store, in parts. */
async function* bytesOf(store: FileStore, path: string): AsyncGenerator<Uint8Array> {
  const file = await store.blob(path);
  for (let at = 0; at < file.size; at += READ)
    yield new Uint8Array(await file.slice(at, Math.min(file.size, at + READ)).arrayBuffer());
}

/** Git's id of a small file's content. */
async function gitId(content: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`blob ${content.length}\0`);
  const whole = new Uint8Array(head.length + content.length);
  whole.set(head);
  whole.set(content, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes received so far, and the version of the file that they belong to. */
class PartFile {
  readonly #store: FileStore;
  readonly #path: string;
  readonly expected: ExpectedFile | null;
  #hasher = sha256Hasher();
  size = 0;
  /**
   * The server's identifier of the version; `null` if it sent none, so that the download cannot be resumed.
   */
  validator: string | null = null;

  constructor(store: FileStore, path: string, expected: ExpectedFile | null) {
    this.#store = store;
    this.#path = path;
    this.expected = expected;
  }

  get #part(): string {
    return `${this.#path}.part`;
  }

  get #record(): string {
    return `${this.#path}.part.json`;
  }

  /** Loads the remains of an earlier download, if any. */
  async open(): Promise<void> {
    if (!(await this.#store.exists(this.#part)) || !(await this.#store.exists(this.#record)))
      return this.drop();
    const text = new TextDecoder().decode(await this.#store.read(this.#record));
    try {
      this.validator = Part.parse(JSON.parse(text)).validator;
    } catch {
      return this.drop();
    }
    if (this.expected && this.validator !== identityOf(this.expected)) return this.drop();
    const directory = this.#path.slice(0, this.#path.lastIndexOf("/"));
    const own = this.#part.slice(directory.length + 1);
    this.size = (await this.#store.list(directory)).find((entry) => entry.name === own)?.size ?? 0;
    if (this.expected && this.size > this.expected.size) return this.drop();
    if (this.expected?.sha256)
      for await (const bytes of bytesOf(this.#store, this.#part)) this.#hasher.update(bytes);
  }

  /** Starts over with the given version of the file. */
  async begin(version: string | null): Promise<void> {
    await this.drop();
    const validator = this.expected ? identityOf(this.expected) : version;
    this.validator = validator;
    if (validator !== null)
      await this.#store.write(this.#record, new TextEncoder().encode(JSON.stringify({ validator })));
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#store.append(this.#part, bytes);
    this.size += bytes.byteLength;
    if (this.expected && this.size > this.expected.size)
      throw new Error(`has more than the ${this.expected.size} bytes that the hub lists; fetch it again`);
    if (this.expected?.sha256) this.#hasher.update(bytes);
  }

  /** Makes the part the file. @throws Error if it is not the expected one. */
  async finish(): Promise<void> {
    if (this.expected) await this.#requireExpected(this.expected);
    // An empty file has no part yet.
    if (this.size === 0) await this.#store.write(this.#part, new Uint8Array());
    await this.#store.rename(this.#part, this.#path);
    await this.#store.remove(this.#record);
  }

  async #requireExpected({ size, sha256, git }: ExpectedFile): Promise<void> {
    const again = "nothing of it was kept; fetch it again";
    if (this.size !== size) throw new Error(`has ${this.size} bytes, where the hub lists ${size}; ${again}`);
    const content = async (): Promise<Uint8Array> =>
      size === 0 ? new Uint8Array() : this.#store.read(this.#part);
    const [kind, due] = sha256 === null ? ["git id", git] : ["SHA-256", sha256];
    const is = sha256 === null ? await gitId(await content()) : this.#hasher.digest();
    if (due !== null && is !== due)
      throw new Error(`has the ${kind} ${is}, where the hub lists ${due}; ${again}`);
  }

  async drop(): Promise<void> {
    this.#hasher = sha256Hasher();
    await this.#store.remove(this.#part);
    await this.#store.remove(this.#record);
    this.size = 0;
    this.validator = null;
  }
}

/**
 * The version's identifier. Only strong entity tags and dates allow a download to resume (RFC 9110, 13.1.5).
 */
function validatorOf({ headers }: Response): string | null {
  const tag = headers.get("etag");
  return tag && !tag.startsWith("W/") ? tag : headers.get("last-modified");
}

/**
 * Receives as much of the file as one connection delivers.
 * @throws BrokenError if it ends before the file is complete.
 */
async function receive(
  address: string,
  part: PartFile,
  {
    onEvent = () => undefined,
    stall_ms = STALL_MS,
    requireHead = () => undefined,
    problemOf = ({ status, statusText }) => `the server answered ${status} ${statusText}`.trim(),
    headers: given = {},
    signal,
  }: DownloadOptions,
): Promise<void> {
  const connection = new AbortController();
  const end = (): void => connection.abort();
  const error = (seconds: number): Error => new BrokenError(`no data received for ${seconds} s`);
  const within = <T>(coming: Promise<T>): Promise<T> =>
    inTime(coming, { seconds: stall_ms / 1000, error, end }).catch((cause: unknown) => {
      throw cause instanceof BrokenError ? cause : new BrokenError(reasonOf(cause), { cause });
    });
  const goesOn = part.size > 0 && part.validator !== null;
  // A part that is whole was received by a program that ended before it could check it.
  if (goesOn && part.size === part.expected?.size) return;
  const headers: Record<string, string> = { ...given };
  if (goesOn) headers.Range = `bytes=${part.size}-`;
  if (goesOn && !part.expected) headers["If-Range"] = part.validator ?? "";
  try {
    // The browser's cache would store a copy of a large file, and make range
    // requests of its own after a break.
    const signals = [connection.signal, ...(signal ? [signal] : [])];
    const response = await within(
      fetch(address, { headers, cache: "no-store", signal: AbortSignal.any(signals) }),
    );
    if (response.status === 416) {
      await part.drop();
      throw new BrokenError("the server refused to resume the download (416)");
    }
    if (response.status >= 500) throw new BrokenError(problemOf(response));
    if (!response.ok) throw new Error(problemOf(response));
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
    const fits = goesOn && response.status === 206 && Number(range?.[1]) === part.size;
    // If the server ignored the range or has another version, the response starts
    // at the beginning of the file.
    if (!fits) {
      if (response.status === 206) {
        await part.drop();
        throw new BrokenError("the server sent a different range than requested");
      }
      await part.begin(validatorOf(response));
    }
    const length = response.headers.get("content-length");
    const isEncoded = response.headers.get("content-encoding") !== null;
    const total = fits
      ? range?.[2] === "*"
        ? null
        : Number(range?.[2])
      : length === null || isEncoded
        ? null
        : Number(length);
    if (part.expected && total !== null && total !== part.expected.size)
      throw new Error(`has ${total} bytes, where the hub lists ${part.expected.size}; fetch it again`);
    const chunks = response.body === null ? [] : bodyChunks(response.body, within);
    const onBytes = (received: number): void => onEvent({ event: "download", received, total });
    await store(chunks, part, { requireHead, onBytes });
    const due = total ?? part.expected?.size ?? null;
    if (due !== null && part.size < due)
      throw new BrokenError(`the connection ended after ${part.size} of ${due} bytes`);
    // Without a stated length, only the end of the response shows that the file is complete.
    if (total === null) onEvent({ event: "download", received: part.size, total: part.size });
  } finally {
    end();
  }
}

/** Stores the received bytes, including the last ones before a connection breaks. */
async function store(
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  part: PartFile,
  { onBytes, requireHead }: { onBytes: (received: number) => void; requireHead: (head: Uint8Array) => void },
): Promise<void> {
  const writer = new BlockWriter((block) => part.append(block));
  const before = part.size;
  let received = 0;
  try {
    for await (const chunk of chunks) {
      if (before + received === 0) requireHead(chunk);
      received += chunk.byteLength;
      await writer.add(chunk);
      onBytes(before + received);
    }
  } finally {
    await writer.end();
  }
}
