/** A file of the hub into a store: goes on where it broke off, and appears only when it is whole. */
import { z } from "zod";
import { type FileStore, isStorageError } from "../../storage/index.ts";
import { reasonOf } from "../../storage/storageError.ts";
import { DatasetError } from "../DatasetError.ts";
import { BlockWriter } from "./BlockWriter.ts";

/** How far a download is. */
export interface DownloadEvent {
  readonly event: "download";
  /** Bytes of the file so far. */
  readonly received: number;
  /** Bytes of the whole file; null where the server does not say. */
  readonly total: number | null;
}

export interface DownloadOptions {
  readonly store: FileStore;
  readonly onEvent?: (event: DownloadEvent) => void;
  /** Called with the first bytes of the file; what it throws ends the download. */
  readonly requireHead?: (head: Uint8Array) => void;
  /** Milliseconds without a byte after which a connection counts as broken; 30,000 unless given. */
  readonly stall_ms?: number;
  /** Ends the download; what came of the file stays for the next one. */
  readonly signal?: AbortSignal;
}

const STALL_MS = 30_000;
/** Breaks in a row without a new byte after which it gives up. */
const MOST_BREAKS = 3;
/** What the part file is part of. */
const Part = z.object({ validator: z.string() });

/** The connection broke, which another one may mend. */
class BrokenError extends Error {}

/**
 * Fetches a file to a path of the store, over a part file beside it.
 * @param name What errors call it: the data set's id.
 * @throws DatasetError naming id and address: for 404 and other refusals, connections that keep breaking, a full disk.
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
          `${address}: cancelled after ${part.size} bytes; fetched again it goes on`,
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

/** Bytes that have come, and which version of the file they are of. */
class PartFile {
  readonly #store: FileStore;
  readonly #path: string;
  size = 0;
  /** The server's name of the version; null where it gave none, so that nothing can go on. */
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

  /** Finds what an earlier download left. */
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

  /** Begins anew, with a version of the file. */
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

/** What a version is known by: only strong entity tags, and dates, allow to go on (RFC 9110, 13.1.5). */
function validatorOf({ headers }: Response): string | null {
  const tag = headers.get("etag");
  return tag && !tag.startsWith("W/") ? tag : headers.get("last-modified");
}

/** Ends the connection when no byte comes for a time. */
class Watch {
  readonly #abort = new AbortController();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, cancelled?: AbortSignal) {
    this.#ms = ms;
    if (cancelled?.aborted) this.#abort.abort();
    cancelled?.addEventListener("abort", () => this.#abort.abort(), { signal: this.#abort.signal });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Waits for the next thing that comes. */
  async next<T>(coming: Promise<T>): Promise<T> {
    const stalled = new Promise<never>((_, reject) => {
      this.#timer = setTimeout(() => {
        reject(new BrokenError(`no byte came for ${this.#ms / 1000} s`));
        this.#abort.abort();
      }, this.#ms);
    });
    try {
      return await Promise.race([coming, stalled]);
    } catch (error) {
      throw error instanceof BrokenError ? error : new BrokenError(reasonOf(error), { cause: error });
    } finally {
      clearTimeout(this.#timer);
    }
  }

  end(): void {
    this.#abort.abort();
  }
}

/** One connection's share of the file. @throws BrokenError when it ends before the file does. */
async function receive(
  address: string,
  part: PartFile,
  { onEvent = () => undefined, stall_ms = STALL_MS, requireHead = () => undefined, signal }: DownloadOptions,
): Promise<void> {
  const watch = new Watch(stall_ms, signal);
  const goesOn = part.size > 0 && part.validator !== null;
  const headers: Record<string, string> = goesOn
    ? { Range: `bytes=${part.size}-`, "If-Range": part.validator ?? "" }
    : {};
  try {
    // A browser's cache would hold a copy of a large file, and ask for parts of its own after a break.
    const asked = fetch(address, { headers, cache: "no-store", signal: watch.signal });
    const response = await watch.next(asked);
    if (response.status === 416) {
      await part.drop();
      throw new BrokenError("the server refused to go on (416)");
    }
    if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trim());
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
    const fits = goesOn && response.status === 206 && Number(range?.[1]) === part.size;
    // Of a server that forgot the range, or has another version, the file comes from its start.
    if (!fits) {
      if (response.status === 206) {
        await part.drop();
        throw new BrokenError("the server sent another part than it was asked for");
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
    await store(response, part, watch, {
      requireHead,
      onBytes: (received) => onEvent({ event: "download", received, total }),
    });
    if (total !== null && part.size !== total)
      throw new BrokenError(`the connection ended after ${part.size} of ${total} bytes`);
    // Of a file whose length was not told, only its end says that it is whole.
    if (total === null) onEvent({ event: "download", received: part.size, total: part.size });
  } finally {
    watch.end();
  }
}

/** Keeps what comes; also the last of a connection that breaks. */
async function store(
  { body }: Response,
  part: PartFile,
  watch: Watch,
  { onBytes, requireHead }: { onBytes: (received: number) => void; requireHead: (head: Uint8Array) => void },
): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  const writer = new BlockWriter((block) => part.append(block));
  const before = part.size;
  let received = 0;
  try {
    for (;;) {
      const { done, value } = await watch.next(reader.read());
      if (done) break;
      if (before + received === 0) requireHead(value);
      received += value.byteLength;
      await writer.add(value);
      onBytes(before + received);
    }
  } finally {
    await writer.end();
  }
}
