import type { Quartiles } from "../../../../tracking/history.ts";
import type { PlotLine, PlotModel } from "../../../components/plot/PlotModel.ts";
import { type FitnessWord } from "../../../games/fitnessWord.tsx";
import {
  formatCount,
  formatHyperparameter,
  formatMilliseconds,
  formatScore,
  formatShort,
} from "../../../lib/format.ts";
import { lineOfDescent } from "../../../series/historyCells.ts";
import {
  type Descendants,
  descentModel,
  numbersOrNull,
  RowSpread,
  SPREAD_BANDS,
  spreadLines,
} from "../charts/descentModel.ts";
import type { TableColumn } from "../charts/GenerationTable.tsx";

/** One chart of the metrics view. */
interface MetricPlot {
  readonly name: string;
  readonly group: "Evaluation" | "Learning" | "Time";
  /** A description of what the chart shows. */
  readonly about: string;
  /** What its vertical axis measures, with the unit. */
  readonly value: string;
  readonly model: () => PlotModel;
  /** One number per generation, for the table. */
  readonly column: () => TableColumn;
}

/** Cached spreads of columns by name; they grow with the run. */
export type Spreads = Map<string, RowSpread>;

const spreadOf = (spreads: Spreads, name: string): RowSpread => {
  const known = spreads.get(name) ?? new RowSpread();
  spreads.set(name, known);
  return known;
};

/** A chart of a value of every member. */
function ofMembers(
  all: Descendants,
  spreads: Spreads,
  plot: Omit<MetricPlot, "model" | "column">,
  values: ArrayLike<number>,
  format: (value: number) => string,
): MetricPlot {
  const column = values instanceof Float64Array ? values : Float64Array.from(values);
  const spread = spreadOf(spreads, plot.name);
  return {
    ...plot,
    model: () => descentModel(all, column, spread, { format, valueLabel: plot.value }),
    column: () => {
      spread.catchUp(column, all.columns.population);
      return { label: `${plot.name}, median`, values: spread.part("median") };
    },
  };
}

/** A chart of one value per generation. */
function ofGenerations(
  { columns }: Descendants,
  plot: Omit<MetricPlot, "model" | "column">,
  values: readonly (number | null)[],
  format: (value: number) => string,
): MetricPlot {
  const line: PlotLine = { label: plot.name, values, colour: "accent", width: 1.5 };
  return {
    ...plot,
    model: () => ({
      axis: "generation",
      valueLabel: plot.value,
      x: Array.from(columns.generation),
      lines: [line],
      format,
      formatX: formatCount,
    }),
    column: () => ({ label: plot.name, values }),
  };
}

/** A chart of five numbers of returns of the elite and its ancestors. */
function eliteSpread(
  { columns, fate }: Descendants,
  plot: Pick<MetricPlot, "name" | "group" | "about">,
  five: Readonly<Record<keyof Quartiles, ArrayLike<number>>>,
): MetricPlot {
  const lines = spreadLines((part) => lineOfDescent(five[part], fate.elite), { colour: "elite", width: 2 });
  return {
    ...plot,
    value: "return",
    model: () => ({
      axis: "generation",
      valueLabel: "return",
      x: Array.from(columns.generation),
      lines,
      bands: SPREAD_BANDS,
      format: formatScore,
      formatX: formatCount,
    }),
    column: () => ({ label: `${plot.name} of the elite, median`, values: lines[2]?.values ?? [] }),
  };
}

/** The spread of the elite's evaluation returns; empty if returns of single episodes are unknown. */
function evaluationSpread(all: Descendants): MetricPlot[] {
  const { evaluation } = all.columns;
  if (evaluation === null) return [];
  const about = "Returns of the elite's evaluation episodes: lowest to highest, middle half and median";
  return [eliteSpread(all, { name: "evaluation spread", group: "Evaluation", about }, evaluation)];
}

/** Metrics that the spread of copies shows, and no chart of their own. */
const SPREAD_METRICS: readonly string[] = ["return_worst", "return_q1", "return_median", "return_q3"];

/** The spread of the returns of an evolution strategy's copies; empty for other algorithms. */
function copiesSpread(all: Descendants): MetricPlot[] {
  const { return_worst, return_q1, return_median, return_q3, return_best } = all.columns.metrics;
  if (!return_worst || !return_q1 || !return_median || !return_q3 || !return_best) return [];
  const about =
    "Returns of the copies of the elite and its ancestors: lowest to highest, middle half and median, means over a generation's iterations";
  const five = { min: return_worst, q1: return_q1, median: return_median, q3: return_q3, max: return_best };
  return [eliteSpread(all, { name: "copies spread", group: "Learning", about }, five)];
}

const isTold = (values: ArrayLike<number>): boolean => Array.from(values).some(Number.isFinite);

/** The population's environment steps per second, by generation. */
export function stepsPerSecond({
  global_step,
  seconds,
}: Pick<Descendants["columns"], "global_step" | "seconds">): number[] {
  return Array.from(seconds, (duration, row) => {
    const steps = (global_step[row] ?? Number.NaN) - (row === 0 ? 0 : (global_step[row - 1] ?? Number.NaN));
    return duration > 0 ? steps / duration : Number.NaN;
  });
}

/** What the chart of evaluations shows. */
const EVALUATED = {
  fitness: { about: "Mean return of each member's last evaluation", value: "mean return" },
  rating: { about: "Rating of each member in Elo points; random moves have 0", value: "rating" },
} as const;

/**
 * All charts for which the run has data.
 * @param word What fitness is called.
 */
export function metricPlots(all: Descendants, spreads: Spreads, word: FitnessWord = "fitness"): MetricPlot[] {
  const { columns } = all;
  const plots: MetricPlot[] = [
    ofMembers(
      all,
      spreads,
      { name: word, group: "Evaluation", ...EVALUATED[word] },
      columns.fitness,
      formatScore,
    ),
    ...evaluationSpread(all),
  ];
  if (isTold(columns.score)) {
    const about = "Mean return of the training episodes that ended in a generation";
    plots.push(
      ofMembers(
        all,
        spreads,
        { name: "score", group: "Evaluation", about, value: "mean return" },
        columns.score,
        formatScore,
      ),
    );
  }
  const copies = copiesSpread(all);
  const inSpread = new Set(copies.length > 0 ? SPREAD_METRICS : []);
  plots.push(...copies);
  for (const [name, values] of Object.entries(columns.metrics)) {
    if (!isTold(values) || inSpread.has(name)) continue;
    const about = `${name} of each member, averaged over a generation`;
    plots.push(
      ofMembers(all, spreads, { name, group: "Learning", about, value: name }, values, formatHyperparameter),
    );
  }
  plots.push(
    ofGenerations(
      all,
      {
        name: "throughput",
        group: "Time",
        about: "The population's environment steps per second",
        value: "steps / s",
      },
      numbersOrNull(stepsPerSecond(columns)),
      formatShort,
    ),
    ofGenerations(
      all,
      {
        name: "generation time",
        group: "Time",
        about: "Wall time of each generation, including evaluation",
        value: "wall time",
      },
      numbersOrNull(columns.seconds),
      (seconds) => formatMilliseconds(1000 * seconds),
    ),
  );
  if (isTold(columns.milliseconds)) {
    const about = "Wall time of each member's turn";
    plots.push(
      ofMembers(
        all,
        spreads,
        { name: "time per member", group: "Time", about, value: "wall time" },
        columns.milliseconds,
        formatMilliseconds,
      ),
    );
  }
  return plots;
}
