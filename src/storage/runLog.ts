import type { FileStore } from "./fileStore.ts";
import { decodeFrames, decodeFramesOf, encodeFrames, type LoggedEvent, type RunEvent } from "./logFrames.ts";
import { joinPath } from "./paths.ts";
import { isStorageError } from "./storageError.ts";

/** A segment that has grown to this many bytes gets no more records. */
const SEGMENT_BYTES = 1 << 20;

/** A run's events, and in plain words what could not be read. */
export interface LogReading {
  readonly events: readonly LoggedEvent[];
  readonly problems: readonly string[];
}

/** Where an event is: the number of the log's part, and the event's own. */
export interface LogPlace {
  readonly part: number;
  readonly seq: number;
}

const partName = (part: number): string => `${String(part).padStart(6, "0")}.seg`;

interface Segment {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly goodBytes: number;
}

/**
 * Reads every segment of the log in `dir`, each up to its first bad record. Changes nothing.
 * @param keep Which events are given back; called for all of them in order, a segment at a time in memory.
 */
export async function readRunLog(
  store: FileStore,
  dir: string,
  keep: (event: LoggedEvent, part: number) => boolean = () => true,
): Promise<LogReading & { readonly segments: readonly Segment[]; readonly nextSeq: number }> {
  const events: LoggedEvent[] = [];
  const problems: string[] = [];
  const segments: Segment[] = [];
  let nextSeq = 0;
  for (const { name } of await store.list(dir)) {
    if (!/^\d{6}\.seg$/.test(name)) continue;
    const bytes = await store.read(joinPath(dir, name));
    const read = decodeFrames(bytes, nextSeq);
    const part = Number.parseInt(name, 10);
    for (const event of read.events) if (keep(event, part)) events.push(event);
    nextSeq = (read.events.at(-1)?.seq ?? nextSeq - 1) + 1;
    segments.push({ name, bytes, goodBytes: read.goodBytes });
    if (read.problem !== null) {
      const lost = bytes.byteLength - read.goodBytes;
      problems.push(`${read.problem}; the last ${lost} bytes of the log's part ${name} are left out`);
    }
  }
  return { events, problems, segments, nextSeq };
}

/** The events of these numbers in one part of the log, those that can be read; none when the part is gone. */
export async function readLogEvents(
  store: FileStore,
  dir: string,
  part: number,
  seqs: ReadonlySet<number>,
): Promise<LoggedEvent[]> {
  try {
    return decodeFramesOf(await store.read(joinPath(dir, partName(part))), seqs);
  } catch (error) {
    if (isStorageError(error, "not_found")) return [];
    throw error;
  }
}

/** Appends to the log in one directory; on opening it cuts what a crash left, so that new records can be read. */
export class RunLog {
  readonly #store: FileStore;
  readonly #dir: string;
  #nextSeq: number;
  #segment: number;
  #segmentBytes: number;

  private constructor(store: FileStore, dir: string, nextSeq: number, segment: number, segmentBytes: number) {
    this.#store = store;
    this.#dir = dir;
    this.#nextSeq = nextSeq;
    this.#segment = segment;
    this.#segmentBytes = segmentBytes;
  }

  /**
   * Reads and mends the log. Only for the one writer of the run.
   * @param keep Which events are given back; all when left out.
   */
  static async open(
    store: FileStore,
    dir: string,
    keep?: (event: LoggedEvent) => boolean,
  ): Promise<{ readonly log: RunLog; readonly reading: LogReading }> {
    const { segments, nextSeq, ...reading } = await readRunLog(store, dir, keep);
    for (const { name, bytes, goodBytes } of segments) {
      if (goodBytes < bytes.byteLength) await store.write(joinPath(dir, name), bytes.subarray(0, goodBytes));
    }
    const last = segments.at(-1);
    const log = new RunLog(
      store,
      dir,
      nextSeq,
      last ? Number.parseInt(last.name, 10) : 1,
      last?.goodBytes ?? 0,
    );
    return { log, reading };
  }

  /** Whether all parts are there, the last with the length that it had. */
  async isWhole(): Promise<boolean> {
    if (this.#segmentBytes === 0) return true;
    const parts = await this.#store.list(this.#dir);
    const last = parts.find(({ name }) => name === partName(this.#segment));
    return parts.length >= this.#segment && last?.size === this.#segmentBytes;
  }

  /**
   * Adds events in one append: after a crash, a leading part of them is there. Returns where the first is. `changed`
   * when others deleted the log meanwhile: what is added now would be all that there is, and pass for the whole log.
   */
  async append(events: readonly RunEvent[]): Promise<LogPlace | null> {
    if (events.length === 0) return null;
    const frames = encodeFrames(events, this.#nextSeq);
    if (this.#segmentBytes >= SEGMENT_BYTES) {
      this.#segment++;
      this.#segmentBytes = 0;
    }
    await this.#store.append(joinPath(this.#dir, partName(this.#segment)), frames, this.#segmentBytes);
    this.#segmentBytes += frames.byteLength;
    const place = { part: this.#segment, seq: this.#nextSeq };
    this.#nextSeq += events.length;
    return place;
  }
}
