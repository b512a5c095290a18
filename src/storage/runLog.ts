import type { FileStore } from "./fileStore.ts";
import { decodeFrames, encodeFrames, type LoggedEvent, type RunEvent } from "./logFrames.ts";
import { joinPath } from "./paths.ts";

/** A segment that has grown to this many bytes gets no more records. */
const SEGMENT_BYTES = 1 << 20;

/** A run's events, and in plain words what could not be read. */
export interface LogReading {
  readonly events: readonly LoggedEvent[];
  readonly problems: readonly string[];
}

interface Segment {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly goodBytes: number;
}

/** Reads every segment of the log in `dir`, each up to its first bad record. Changes nothing. */
export async function readRunLog(
  store: FileStore,
  dir: string,
): Promise<LogReading & { readonly segments: readonly Segment[] }> {
  const events: LoggedEvent[] = [];
  const problems: string[] = [];
  const segments: Segment[] = [];
  let due = 0;
  for (const { name } of await store.list(dir)) {
    if (!/^\d{6}\.seg$/.test(name)) continue;
    const bytes = await store.read(joinPath(dir, name));
    const read = decodeFrames(bytes, due);
    for (const event of read.events) events.push(event);
    due = (events.at(-1)?.seq ?? -1) + 1;
    segments.push({ name, bytes, goodBytes: read.goodBytes });
    if (read.problem !== null) {
      const lost = bytes.byteLength - read.goodBytes;
      problems.push(`${read.problem}; the last ${lost} bytes of the log's part ${name} are left out`);
    }
  }
  return { events, problems, segments };
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

  /** Reads and mends the log. Only for the one writer of the run. */
  static async open(
    store: FileStore,
    dir: string,
  ): Promise<{ readonly log: RunLog; readonly reading: LogReading }> {
    const { segments, ...reading } = await readRunLog(store, dir);
    for (const { name, bytes, goodBytes } of segments) {
      if (goodBytes < bytes.byteLength) await store.write(joinPath(dir, name), bytes.subarray(0, goodBytes));
    }
    const last = segments.at(-1);
    const nextSeq = (reading.events.at(-1)?.seq ?? -1) + 1;
    const log = new RunLog(
      store,
      dir,
      nextSeq,
      last ? Number.parseInt(last.name, 10) : 1,
      last?.goodBytes ?? 0,
    );
    return { log, reading };
  }

  /** Adds events in one append: after a crash, a leading part of them is there. */
  async append(events: readonly RunEvent[]): Promise<void> {
    if (events.length === 0) return;
    const frames = encodeFrames(events, this.#nextSeq);
    if (this.#segmentBytes >= SEGMENT_BYTES) {
      this.#segment++;
      this.#segmentBytes = 0;
    }
    const name = `${String(this.#segment).padStart(6, "0")}.seg`;
    await this.#store.append(joinPath(this.#dir, name), frames);
    this.#segmentBytes += frames.byteLength;
    this.#nextSeq += events.length;
  }
}
