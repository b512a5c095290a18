/** The contents of every worker's replay buffer at the start of a generation, for workers that join later. */
import { eachField, type ReplayRows, zerosLike } from "../../agents/members.ts";
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
