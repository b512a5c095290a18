import { type MutationExplanation, meanInterval } from "../../../../tracking/history.ts";
import type { PlotEntry, PlotLine, PlotModel } from "../../../components/plot/PlotModel.ts";
import { formatScore } from "../../../lib/format.ts";
import { formatPosition } from "../../../series/scales.ts";

const STYLES = [
  { key: "with_mutation", label: "with it", colour: "accent", width: 2.5 },
  { key: "without", label: "without it", colour: "ink-3", width: 2, dash: [6, 4] },
] as const;

/** The legend of both lines, whose areas are the intervals. */
export const TEST_LEGEND: readonly PlotEntry[] = STYLES.map(({ label, colour, ...style }) => ({
  label,
  group: label,
  colour,
  mark: "dash" in style ? "dash" : "line",
}));

/** Fitness on the new seeds with a mutation and without it: means, and their intervals of 95 %. */
export function testModel({ generation, generations, before, new_seeds }: MutationExplanation): PlotModel {
  const x = Array.from({ length: generations + 1 }, (_, at) => generation - 1 + at);
  const lines = STYLES.flatMap(({ key, ...style }): PlotLine[] => {
    const at = Array.from({ length: generations }, (_, i) =>
      new_seeds.map(({ lines }) => lines[key][i] ?? NaN),
    );
    const means = at.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
    const intervals = at.map(meanInterval);
    const edge = (end: 0 | 1): PlotLine => ({
      ...style,
      label: `${style.label}, ${end === 0 ? "low" : "high"}`,
      group: style.label,
      width: 0,
      values: [before, ...intervals.map((interval) => interval?.[end] ?? null)],
    });
    return [{ ...style, values: [before, ...means] }, edge(1), edge(0)];
  });
  return {
    axis: "generation",
    x,
    lines,
    bands: STYLES.map(({ label, colour }, i) => ({
      between: [3 * i + 1, 3 * i + 2],
      colour,
      opacity: 0.15,
      group: label,
    })),
    format: formatScore,
    formatX: formatPosition.generation,
  };
}
