/**
 * Downloads a file of the hub into a store. An interrupted download can be resumed, and the file
 * appears only when it is complete.
 */
import { z } from "zod";
import { bodyChunks } from "../../http/body.ts";
import { inTime } from "../../http/waiting.ts";
import { reasonOf } from "../../storage/files.ts";
import { type FileStore, isStorageError } from "../../storage/index.ts";
import { DatasetError } from "../DatasetError.ts";
import { BlockWriter } from "./BlockWriter.ts";

/** Progress of a download. */
export interface DownloadEvent {
  readonly event: "download";
  /** Bytes received so far. */
  readonly received: number;
  /** Size of the whole file in bytes; `null` if the server does not state it. */
  readonly total: number | null;
}

interface DownloadOptions {
  readonly store: FileStore;
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
 * Downloads a file to a path of the store, using a part file beside it.
 * @param name The data set's id, used in errors.
 * @throws DatasetError naming the id and the address: for a 404 or other error status, repeatedly broken
 *   connections, or a full disk.
 */
export async function download(
  address: string,
  path: string,
  name: string,
  options: DownloadOptions,
): Promise<void> {
  const part = new PartFile(options.store, path);
  await part.open();
  let breaks = 0;
  for (;;) {
    const before = part.size;
    try {
      await receive(address, part, options);
      return await part.finish();
    } catch (error) {
      if (options.signal?.aborted)
        throw new DatasetError(
          name,
          `${address}: cancelled after ${part.size} bytes; fetch it again to resume`,
          {
            cause: error,
          },
        );
      if (isStorageError(error, "full")) {
        await part.drop();
        throw new DatasetError(name, `${address}: no room for the file: ${error.message}`, { cause: error });
      }
      if (!(error instanceof BrokenError)) {
        await part.drop();
        throw failed(name, address, error);
      }
      breaks = part.size > before ? 0 : breaks + 1;
      if (breaks >= MOST_BREAKS) throw failed(name, address, error);
    }
  }
}

const failed = (name: string, address: string, error: unknown): DatasetError =>
  new DatasetError(name, `${address}: ${reasonOf(error)}`, { cause: error });

/** The bytes received so far, and the version of the file that they belong to. */
class PartFile {
  readonly #store: FileStore;
  readonly #path: string;
  size = 0;
  /**
   * The server's identifier of the version; `null` if it sent none, so that the download cannot be resumed.
   */
  validator: string | null = null;

  constructor(store: FileStore, path: string) {
    this.#store = store;
    this.#path = path;
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
    const directory = this.#path.slice(0, this.#path.lastIndexOf("/"));
    const own = this.#part.slice(directory.length + 1);
    this.size = (await this.#store.list(directory)).find((entry) => entry.name === own)?.size ?? 0;
  }

  /** Starts over with the given version of the file. */
  async begin(validator: string | null): Promise<void> {
    await this.drop();
    this.validator = validator;
    if (validator !== null)
      await this.#store.write(this.#record, new TextEncoder().encode(JSON.stringify({ validator })));
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#store.append(this.#part, bytes);
    this.size += bytes.byteLength;
  }

  async finish(): Promise<void> {
    await this.#store.rename(this.#part, this.#path);
    await this.#store.remove(this.#record);
  }

  async drop(): Promise<void> {
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
  { onEvent = () => undefined, stall_ms = STALL_MS, requireHead = () => undefined, signal }: DownloadOptions,
): Promise<void> {
  const connection = new AbortController();
  const end = (): void => connection.abort();
  const error = (seconds: number): Error => new BrokenError(`no data received for ${seconds} s`);
  const within = <T>(coming: Promise<T>): Promise<T> =>
    inTime(coming, { seconds: stall_ms / 1000, error, end }).catch((cause: unknown) => {
      throw cause instanceof BrokenError ? cause : new BrokenError(reasonOf(cause), { cause });
    });
  const goesOn = part.size > 0 && part.validator !== null;
  const headers: Record<string, string> = goesOn
    ? { Range: `bytes=${part.size}-`, "If-Range": part.validator ?? "" }
    : {};
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
    if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trim());
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
    const chunks = response.body === null ? [] : bodyChunks(response.body, within);
    const onBytes = (received: number): void => onEvent({ event: "download", received, total });
    await store(chunks, part, { requireHead, onBytes });
    if (total !== null && part.size !== total)
      throw new BrokenError(`the connection ended after ${part.size} of ${total} bytes`);
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
