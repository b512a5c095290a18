import type { FileStore } from "./fileStore.ts";
import { decodeFrames, decodeFramesOf, encodeFrames, type LoggedEvent, type RunEvent } from "./logFrames.ts";
import { joinPath } from "./paths.ts";
import { isStorageError } from "./storageError.ts";

/** A segment of at least this many bytes gets no more records. */
const SEGMENT_BYTES = 1 << 20;

/** A run's events, and messages about records that could not be read. */
export interface LogReading {
  readonly events: readonly LoggedEvent[];
  readonly problems: readonly string[];
}

/** The location of an event: the number of the log segment, and the event's sequence number. */
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
 * @param keep Selects the returned events; called for all events in order, with one segment at
 *   a time in memory.
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

/** The readable events with these sequence numbers in one log segment; none if the segment is gone. */
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

/**
 * Appends to the log in one directory. On opening, it cuts off the leftovers of a crash, so that new records
 * can be read.
 */
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
   * Reads and repairs the log. Only for the one writer of the run.
   * @param keep Selects the returned events; defaults to all.
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

  /** Whether all segments exist and the last one has its expected length. */
  async isWhole(): Promise<boolean> {
    if (this.#segmentBytes === 0) return true;
    const parts = await this.#store.list(this.#dir);
    const last = parts.find(({ name }) => name === partName(this.#segment));
    return parts.length >= this.#segment && last?.size === this.#segmentBytes;
  }

  /**
   * Adds events in one append; after a crash, a leading part of them may be stored. Returns the place of the
   * first event. Throws `changed` if others deleted the log meanwhile; otherwise the new events alone would
   * pass for the whole log.
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
