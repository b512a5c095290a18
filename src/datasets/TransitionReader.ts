/** Transitions of a data set as rows of a replay buffer, read in order. */
import { emptyRows, PART_BYTES, type ReplayArray, type ReplayRows } from "../agents/members.ts";
import { REPLAY_FIELDS, type ReplayFieldName, replayFields, rowWords } from "../rl/programs.ts";
import type { AgentSpaces } from "../rl/spaces.ts";
import { sha256Hasher } from "../storage/files.ts";
import { DatasetError } from "./DatasetError.ts";
import { keptRows, readStretch, type Stretch } from "./stretch.ts";

/** Transitions in the format of a replay buffer. */
export interface DatasetTransitions {
  readonly rows: ReplayRows;
  readonly count: number;
  /** Notices for the owner of the run, such as the number of rows that were left out. */
  readonly notices: readonly string[];
}

/** A block of consecutive transitions. */
export type TransitionBlock = Pick<DatasetTransitions, "rows" | "count">;

/** Largest row count that a replay buffer can index exactly. */
export const MOST_ROWS = 2 ** 24;

/** @internal */
interface TransitionReaderOptions {
  readonly stretches: readonly Stretch[];
  readonly layout: AgentSpaces;
  /** Upper bound on transitions; the newest are kept. */
  readonly most: number;
  readonly source: string;
  readonly notices: readonly string[];
}

/** Reads transitions. Its methods throw DatasetError naming the row of a number that cannot be stored. */
export class TransitionReader {
  readonly count: number;
  readonly notices: readonly string[];
  readonly #options: TransitionReaderOptions;
  readonly #fields;
  /** Number of transitions before the first one that is read. */
  readonly skipped: number;

  /**
   * @throws DatasetError for a data set without transitions, or with more than a replay buffer can hold.
   * @internal
   */
  constructor(options: TransitionReaderOptions) {
    const { stretches, layout, most, source, notices } = options;
    const all = stretches.reduce((sum, stretch) => sum + keptRows(stretch), 0);
    if (all === 0) throw new DatasetError(source, "found no transitions, allowed one or more");
    const count = Math.min(all, most);
    if (count > MOST_ROWS)
      throw new DatasetError(
        source,
        `found ${all} transitions, allowed at most ${MOST_ROWS}; set replay_buffer.max_size to keep the newest`,
      );
    this.count = count;
    this.notices = notices;
    this.#options = options;
    this.#fields = replayFields(layout);
    this.skipped = all - count;
  }

  /** All transitions at once. */
  async whole(): Promise<DatasetTransitions> {
    const rows = emptyRows(this.#fields, this.count);
    let at = 0;
    for await (const part of this.#read(REPLAY_FIELDS)) {
      this.#copy(rows, at, part.rows, part.start, part.count);
      at += part.count;
    }
    return { rows, count: this.count, notices: this.notices };
  }

  /** All transitions in blocks of a few megabytes, each read on request. */
  async *blocks(): AsyncGenerator<TransitionBlock> {
    const words = REPLAY_FIELDS.reduce((sum, name) => sum + rowWords(this.#fields[name]), 0);
    const most = Math.max(1, Math.floor(PART_BYTES / (4 * words)));
    let left = this.count;
    let [rows, count, filled] = [emptyRows(this.#fields, Math.min(most, left)), Math.min(most, left), 0];
    for await (const part of this.#read(REPLAY_FIELDS)) {
      for (let at = 0; at < part.count; ) {
        const some = Math.min(part.count - at, count - filled);
        this.#copy(rows, filled, part.rows, part.start + at, some);
        at += some;
        filled += some;
        if (filled < count) continue;
        yield { rows, count };
        left -= count;
        count = Math.min(most, left);
        [rows, filled] = [emptyRows(this.#fields, count), 0];
      }
    }
  }

  /**
   * SHA-256 of all transitions, field by field in the layout of a replay buffer.
   * @param hear Receives the words of each field in order.
   */
  async sha256(hear: (name: ReplayFieldName, words: ReplayArray) => void = () => undefined): Promise<string> {
    const hasher = sha256Hasher();
    for (const name of REPLAY_FIELDS) {
      for await (const { rows, start } of this.#read([name])) {
        const words = rows[name].subarray(start * rowWords(this.#fields[name]));
        hasher.update(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
        hear(name, words);
      }
    }
    return hasher.digest();
  }

  /**
   * Fields of the transitions, stretch by stretch. `start` is the first row to use, which is above
   * 0 only in the first stretch.
   */
  async *#read<Name extends ReplayFieldName>(names: readonly Name[]) {
    const { stretches, layout } = this.#options;
    let before = this.skipped;
    for (const stretch of stretches) {
      const kept = keptRows(stretch);
      const skip = Math.min(kept, before);
      before -= skip;
      if (skip === kept) continue;
      yield { rows: await readStretch(stretch, layout, names), start: skip, count: kept - skip };
    }
  }

  #copy(to: ReplayRows, at: number, from: ReplayRows, start: number, count: number): void {
    for (const name of REPLAY_FIELDS) {
      const width = rowWords(this.#fields[name]);
      to[name].set(from[name].subarray(start * width, (start + count) * width), at * width);
    }
  }
}
