/** What every worker's replay memory holds at a generation's start, for workers that join later. */
import { eachField, type ReplayRows, zerosLike } from "../../rl/runtime/replayRows.ts";
import type { ReplaySetup, Written } from "./kinds.ts";
import { storeWritten } from "./runState.ts";
import { writtenParts } from "./writtenParts.ts";

export class ReplayMirror {
  readonly #segment: number;
  readonly #slots = new Map<number, ReplayRows>();

  constructor({ segment }: Pick<ReplaySetup, "segment">) {
    this.#segment = segment;
  }

  store(written: readonly Written[]): void {
    for (const part of written) {
      if (part.count === 0) continue;
      const segments = [this.#rows(part)];
      storeWritten({ segment: this.#segment, segments }, { ...part, slot: 0 });
    }
  }

  /** Everything stored, as transitions to store. */
  contents(): Written[] {
    return [...this.#slots].map(([slot, rows]) => ({ slot, start: 0, count: this.#segment, rows }));
  }

  /** The same in parts of some megabytes, which are copies. */
  parts(): Generator<Written> {
    return writtenParts(this.contents(), this.#segment);
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
