import {
  type DiversityRanges,
  type EvolutionReport,
  EvolutionTally,
  tallyRows,
} from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { PlotModel } from "../../../components/plot/PlotModel.ts";
import { slotToken } from "../../../components/plot/plotTheme.ts";
import { formatCount } from "../../../lib/format.ts";

/** The evolution of a run in each of its generations, derived once for each as the run goes on. */
export class EvolutionSeries {
  readonly #ranges: DiversityRanges;
  #tally = new EvolutionTally();
  #reports: EvolutionReport[] = [];
  #generations: number[] = [];

  /** @param ranges Hyperparameters whose diversity is told. */
  constructor(ranges: DiversityRanges) {
    this.#ranges = ranges;
  }

  /** The evolution up to each row of a history, from the first to `row`. */
  upTo(columns: HistoryColumns, row: number): readonly EvolutionReport[] {
    const done = this.#reports.length;
    // A run that was resumed from an earlier boundary trains some generations again.
    const isAhead =
      done > columns.generations || columns.generation[done - 1] !== this.#generations[done - 1];
    if (done > 0 && isAhead) {
      this.#tally = new EvolutionTally();
      this.#reports = [];
      this.#generations = [];
    }
    for (const next of tallyRows(columns, this.#reports.length, row + 1)) {
      this.#reports.push(this.#tally.add(next).report(this.#ranges));
      this.#generations.push(next.generation);
    }
    return this.#reports.slice(0, row + 1);
  }
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** The diversity of a population over its generations, as shares. */
export function diversityModel(reports: readonly EvolutionReport[], columns: HistoryColumns): PlotModel {
  const names = [...new Set(reports.flatMap(({ hyperparameters }) => Object.keys(hyperparameters)))];
  const moved = names.filter((name) =>
    reports.some(({ hyperparameters }) => (hyperparameters[name]?.distinct ?? 1) > 1),
  );
  return {
    x: Array.from(columns.generation.subarray(0, reports.length)),
    axis: "generation",
    lines: [
      {
        label: "ancestors",
        values: reports.map(({ ancestors }) => ancestors && ancestors / columns.population),
        colour: "ink",
        width: 2.5,
      },
      ...moved.map((name, at) => ({
        label: name,
        values: reports.map(({ hyperparameters }) => hyperparameters[name]?.spread ?? null),
        colour: slotToken(at),
        width: 1.5,
      })),
    ],
    valueLabel: "share",
    range: [-0.03, 1.03],
    format: percent,
    formatX: formatCount,
  };
}
