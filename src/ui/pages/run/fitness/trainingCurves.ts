/** What language models learn from in each iteration, beside the evaluations, which are rarer. */
import { quartiles } from "../../../../tracking/history.ts";
import type { PlotEntry, PlotModel } from "../../../components/plot/PlotModel.ts";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { manifestValue } from "../../../lib/manifestValues.ts";
import { lineOfDescent } from "../../../series/historyCells.ts";
import { type Descendants, numbersOrNull } from "../charts/descentModel.ts";

/** A quantity in each iteration of training, and the same quantity in evaluations. */
export interface TrainingCurve {
  readonly title: string;
  /** What the values of training are, for screen readers. */
  readonly about: string;
  /** Each member's value in training: [generations, population]. */
  readonly training: Float64Array;
  /** Its value in evaluations, NaN in generations without one: [generations, population]; null for none. */
  readonly evaluated: Float64Array | null;
}

const hasValues = ({ training, evaluated }: TrainingCurve): boolean =>
  training.some(Number.isFinite) || evaluated?.some(Number.isFinite) === true;

/**
 * The curves of a run of language models that have values: the rewards of rollouts; the loss of SFT, beside the loss of
 * held-out rows; the margin and the loss of DPO and KTO.
 */
export function trainingCurves(
  { score, fitness, metrics }: Pick<Descendants["columns"], "score" | "fitness" | "metrics">,
  manifest: unknown,
): readonly TrainingCurve[] {
  const { loss = new Float64Array() } = metrics;
  const objective = manifestValue(manifest, "environment.objective");
  const curves: readonly TrainingCurve[] =
    objective === "sft"
      ? [
          {
            title: "Loss",
            about: "loss on the rows of each iteration, and on held-out rows",
            training: loss,
            evaluated: fitness.map((value) => -value),
          },
        ]
      : objective === "preference" || objective === "unpaired"
        ? [
            {
              title: "Reward margin",
              about:
                "reward of chosen answers less that of rejected ones, in each iteration and on held-out rows",
              training: score,
              evaluated: fitness,
            },
            { title: "Loss", about: "loss on the rows of each iteration", training: loss, evaluated: null },
          ]
        : [
            {
              title: "Reward",
              about: "mean reward of the completions of each iteration, and of evaluations",
              training: score,
              evaluated: fitness,
            },
          ];
  return curves.filter(hasValues);
}

/** Medians over the members of each generation; null for a generation without values. */
export function mediansOf(values: Float64Array, population: number): (number | null)[] {
  const generations = Math.floor(values.length / Math.max(1, population));
  return numbersOrNull(
    Array.from(
      { length: generations },
      (_, row) => quartiles(values.subarray(row * population, (row + 1) * population)).median,
    ),
  );
}

const ITERATIONS = "iterations";

/** The legend of the charts of curves. */
export const CURVE_LEGEND: readonly PlotEntry[] = [
  { label: "a member's iteration, a dot each", group: ITERATIONS, mark: "dots", colour: "ink-3" },
  { label: "median of the members", group: "median", mark: "line", colour: "accent" },
  { label: "evaluations of the elite and its ancestors", group: "evaluated", mark: "line", colour: "elite" },
];

/** A curve as a chart: a dot for each member and iteration, their median, and the evaluations of the elite's line. */
export function curveModel({ columns, fate, colours }: Descendants, curve: TrainingCurve): PlotModel {
  const { training, evaluated } = curve;
  const { population, generation, index } = columns;
  const ends = (label: string, of: (...values: number[]) => number) => ({
    label,
    values: numbersOrNull(
      Array.from(generation, (_, row) =>
        of(...training.subarray(row * population, (row + 1) * population).filter(Number.isFinite)),
      ),
    ),
    colour: "accent" as const,
    width: 0,
    group: ITERATIONS,
  });
  return {
    x: Array.from(generation),
    axis: "generation",
    joined: true,
    dotted: true,
    lines: [
      ends("lowest", Math.min),
      { label: "median", values: mediansOf(training, population), colour: "accent", width: 1 },
      ends("highest", Math.max),
      ...(evaluated === null
        ? []
        : [
            {
              label: "evaluated",
              values: lineOfDescent(evaluated, fate.elite),
              colour: "elite" as const,
              width: 2.5,
            },
          ]),
    ],
    dots: [
      {
        label: "iteration of a member",
        x: Array.from(training, (_, cell) => generation[Math.floor(cell / population)] ?? Number.NaN),
        y: training,
        colours: Array.from(training, (_, cell) => colours.of(index[cell] ?? -1)),
        // Many dots are small, so that they do not become a block.
        radius: Math.max(1, Math.min(3, 200 / generation.length)),
        group: ITERATIONS,
      },
    ],
    format: formatScore,
    formatX: formatCount,
  };
}
