/** What every worker's replay memory holds at a generation's start, for workers that join later. */
import { eachField, type ReplayRows, zerosLike } from "../../rl/runtime/replayRows.ts";
import type { ReplaySetup, Written } from "./kinds.ts";
import { storeWritten } from "./runState.ts";

/** Bytes of a part: what crosses threads is copied whole. */
const PART_BYTES = 2 ** 23;

export class ReplayMirror {
  readonly #segment: number;
  readonly #slots = new Map<number, ReplayRows>();
  /** Of a data set, which is large and stays as it is: what was given. Null for other memories. */
  readonly #given: Written[] | null;

  constructor({ segment, fixed = false }: Pick<ReplaySetup, "segment" | "fixed">) {
    this.#segment = segment;
    this.#given = fixed ? [] : null;
  }

  store(written: readonly Written[]): void {
    for (const part of written) {
      if (part.count === 0) continue;
      if (this.#given) {
        this.#given.push(part);
        continue;
      }
      const segments = [this.#rows(part)];
      storeWritten({ segment: this.#segment, segments }, { ...part, slot: 0 });
    }
  }

  /** Everything stored, as transitions to store. */
  contents(): Written[] {
    if (this.#given) return [...this.#given];
    return [...this.#slots].map(([slot, rows]) => ({ slot, start: 0, count: this.#segment, rows }));
  }

  /** The same in parts of some megabytes, which are copies. */
  *parts(): Generator<Written> {
    for (const { slot, start, count, rows } of this.contents()) {
      const held = rows.ended.length;
      const bytes = Object.values(rows).reduce((sum, { byteLength }) => sum + byteLength, 0);
      const most = Math.max(1, Math.floor((PART_BYTES * held) / bytes));
      for (let from = 0; from < count; from += most) {
        const to = Math.min(count, from + most);
        const part = eachField((field) => {
          // There is one number of it in a row.
          const width = rows[field].length / held;
          return rows[field].slice(from * width, to * width);
        });
        yield { slot, start: (start + from) % this.#segment, count: to - from, rows: part };
      }
    }
  }

  #rows({ slot, rows }: Written): ReplayRows {
    const known = this.#slots.get(slot);
    if (known) return known;
    const made = eachField((field) => {
      // There is one number of it in a row.
      const length = (this.#segment * rows[field].length) / rows.ended.length;
      return zerosLike(rows[field], length);
    });
    this.#slots.set(slot, made);
    return made;
  }
}
