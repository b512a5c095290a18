import { Column } from "./Column.ts";
import type { TrainingColumns } from "./HistoryColumns.ts";
import type { MemberReport } from "./observer.ts";

/** Training episodes of a growing history: a list for each cell. */
export class EpisodeColumns {
  readonly #offsets: Column<Int32Array>;
  readonly #steps: Column;
  readonly #returns: Column<Float32Array>;

  constructor({ offsets, steps, returns }: TrainingColumns) {
    this.#offsets = new Column(offsets);
    this.#steps = new Column(steps);
    this.#returns = new Column(returns);
  }

  get columns(): TrainingColumns {
    return {
      offsets: this.#offsets.values,
      steps: this.#steps.values,
      returns: this.#returns.values,
    };
  }

  copy(): TrainingColumns {
    const { offsets, steps, returns } = this.columns;
    return { offsets: offsets.slice(), steps: steps.slice(), returns: returns.slice() };
  }

  /** Adds the list of the next cell. */
  add(episodes: NonNullable<MemberReport["training"]>): void {
    for (const [step, ret] of episodes) {
      this.#steps.push(step);
      this.#returns.push(ret);
    }
    this.#offsets.push(this.#steps.length);
  }

  /** Drops the lists after the first `cells`. */
  truncate(cells: number): void {
    if (cells + 1 >= this.#offsets.length) return;
    this.#offsets.truncate(cells + 1);
    const kept = this.#offsets.at(cells);
    this.#steps.truncate(kept);
    this.#returns.truncate(kept);
  }
}
