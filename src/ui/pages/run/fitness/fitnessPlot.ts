import type { PlotDots, PlotEntry, PlotLine, PlotModel } from "../../../components/plot/PlotModel.ts";
import { formatScore } from "../../../lib/format.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { lineOfDescent, positionsOf } from "../../../series/historyCells.ts";
import { descentModel, type RowSpread } from "../charts/descentModel.ts";
import { memberLegend } from "../charts/memberLegend.ts";
import type { FitnessModel } from "./fitnessModel.ts";
import { TRAINING } from "./trainingDots.ts";

const DASHES: readonly (readonly number[])[] = [
  [1, 3],
  [6, 3],
  [2, 2, 6, 2],
  [10, 4],
  [1, 2, 1, 5],
  [4, 2, 1, 2, 1, 2],
];

/** Label of the fitness of the agent that the run began with. */
const BEGINNING = "began with";

/** Share of the axis beyond its round ends, in which lines at an end are drawn whole. */
const ROOM = 0.02;

/** The best fitness so far, in all generations since the first evaluation. */
function bestSoFar({ rows, all }: FitnessModel): (number | null)[] {
  const best = new Map(rows.map((row) => [row.row, row.best]));
  return Array.from(all.columns.generation, (_, row) => best.get(row) ?? null);
}

/** Fitness of the population by descent, the best so far, the target, and the episodes of training. */
export function fitnessPlot(
  model: FitnessModel,
  axis: ChartAxis,
  spread: RowSpread,
  training: PlotDots | null = null,
): PlotModel {
  const { all, domain, target, reached, agents, word, beginning } = model;
  const { columns, fate, selected } = all;
  const positions = positionsOf(columns, axis);
  const generationOf = (row: number): string => `generation ${columns.generation[row]}`;
  const more: readonly PlotLine[] = [
    {
      label: "best so far",
      values: bestSoFar(model),
      colour: "ink",
      width: 1.5,
      dash: [2, 3],
      steady: true,
    },
    ...(beginning === null
      ? []
      : [
          {
            label: BEGINNING,
            values: Array.from(columns.generation, () => beginning.fitness),
            colour: "ink-2",
            width: 1,
            dash: [8, 4],
            steady: true,
          } as const,
        ]),
    ...agents.map(
      (label, agent): PlotLine => ({
        label,
        values: lineOfDescent(columns.agent_fitness[label] ?? [], selected ?? fate.elite),
        colour: "ink-2",
        width: 1.25,
        dash: DASHES[agent % DASHES.length] ?? [],
      }),
    ),
  ];
  const looked = fate.row < columns.generations - 1 && fate.row >= 0;
  const plot = descentModel(all, columns.fitness, spread, {
    axis,
    more,
    valueLabel: word,
    bounds: target === null ? [] : [target],
    marks: [
      ...(looked ? [{ x: positions[fate.row] ?? 0, label: generationOf(fate.row) }] : []),
      ...(reached === null
        ? []
        : [{ x: positions[reached.row] ?? 0, label: "target reached", colour: "target" as const }]),
    ],
    format: formatScore,
  });
  const [low, high] = [domain.ticks[0] ?? 0, domain.ticks.at(-1) ?? 1];
  return {
    ...plot,
    boundColour: "target",
    dots: [...(training === null ? [] : [training]), ...(plot.dots ?? [])],
    range: [low - ROOM * (high - low), high + ROOM * (high - low)],
  };
}

/** The legend of the fitness chart. */
export function fitnessLegend(
  { all, agents, target, beginning }: FitnessModel,
  training: PlotDots | null,
): PlotEntry[] {
  const entries = memberLegend({
    columns: all.columns,
    selected: all.selected !== null,
    more: [
      { label: "best so far", group: "best so far", mark: "dotted", colour: "ink" },
      ...(beginning === null
        ? []
        : [
            {
              label: `${BEGINNING} ${formatScore(beginning.fitness)}`,
              group: BEGINNING,
              mark: "dash",
              colour: "ink-2",
            } as const,
          ]),
      ...(training === null
        ? []
        : [{ label: TRAINING, group: TRAINING, mark: "dots", colour: "ink-3" } as const]),
    ],
  });
  return [
    ...entries,
    ...agents.map((id): PlotEntry => ({ label: id, group: id, mark: "dash", colour: "ink-2" })),
    ...(target === null
      ? []
      : [{ label: `target ${formatScore(target)}`, mark: "dash", colour: "target" } as const]),
  ];
}
