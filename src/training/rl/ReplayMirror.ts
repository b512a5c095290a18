/** The contents of every worker's replay buffer at the start of a generation, for workers that join later. */
import { copyRows, eachField, PART_BYTES, type ReplayRows, zerosLike } from "../../agents/members.ts";
import type { ReplaySetup, Written } from "./kinds.ts";
import { storeWritten, withRoomFor } from "./runState.ts";

/** Each part is a copy. @param segment Transitions in a segment. */
export function* writtenParts(written: Iterable<Written>, segment: number): Generator<Written> {
  for (const { slot, start, count, rows } of written) {
    const bytes = Object.values(rows).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const most = Math.max(1, Math.floor((PART_BYTES * rows.ended.length) / bytes));
    for (let from = 0; from < count; from += most) {
      const to = Math.min(count, from + most);
      yield { slot, start: (start + from) % segment, count: to - from, rows: copyRows(rows, from, to) };
    }
  }
}

export class ReplayMirror {
  readonly #segment: number;
  readonly #slots = new Map<number, ReplayRows>();

  constructor({ segment }: Pick<ReplaySetup, "segment">) {
    this.#segment = segment;
  }

  store(written: readonly Written[]): void {
    for (const part of written) {
      if (part.count === 0) continue;
      const segments = withRoomFor([this.#rows(part)], [part]);
      this.#slots.set(part.slot, segments[0] as ReplayRows);
      storeWritten({ segment: this.#segment, segments }, { ...part, slot: 0 });
    }
  }

  /** Everything stored, as transitions to write. */
  contents(): Written[] {
    return [...this.#slots].map(([slot, rows]) => ({ slot, start: 0, count: this.#segment, rows }));
  }

  /** The contents as copies, in parts of some megabytes. */
  parts(): Generator<Written> {
    return writtenParts(this.contents(), this.#segment);
  }

  #rows({ slot, rows }: Written): ReplayRows {
    const known = this.#slots.get(slot);
    if (known) return known;
    const made = eachField((field) => {
      // `ended` has one number per row.
      const length = (this.#segment * rows[field].length) / rows.ended.length;
      return zerosLike(rows[field], length);
    });
    this.#slots.set(slot, made);
    return made;
  }
}
