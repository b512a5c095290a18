/** Delivered scores over a budget, one line per contender, as an SVG picture. */
import { chartSvg, escaped } from "../curves/chartSvg.ts";
import type { Outcome } from "./measure.ts";
import { recipes } from "./recipes.ts";
import { mean, strata } from "./statistics.ts";
import { findTask } from "./tasks.ts";

/** Points of a line. */
const POINTS = 60;
/** Line colours on light and on dark pages (Okabe and Ito 2008, darkened or lightened for contrast). */
const COLOURS: readonly (readonly [light: string, dark: string])[] = [
  ["#0072b2", "#56b4e9"],
  ["#d55e00", "#ff8a3d"],
  ["#00805f", "#2ec4a0"],
  ["#8a6d00", "#f0e442"],
  ["#a8447f", "#e59cc6"],
  ["#59636e", "#9198a1"],
  ["#1f2328", "#f0f6fc"],
  ["#7a3e9d", "#c297e0"],
];
/** Least distance between two names at the lines' ends, as a score. */
const APART = 0.06;

/** Best score so far at a share of the budget. */
function bestAt({ curve, task }: Outcome, share: number): number {
  const steps = share * findTask(task).budget;
  // A generation may end a few steps after the budget.
  const due = share === 1 ? Number.POSITIVE_INFINITY : steps;
  return Math.max(0, ...curve.filter(([at]) => at <= due).map(([, score]) => score));
}

/** Mean over the tasks' means, so that each task counts alike, at shares from 0 to 1 of the budget. */
export function progressOf(outcomes: readonly Outcome[]): readonly number[] {
  return Array.from({ length: POINTS + 1 }, (_, i) =>
    mean(
      strata(outcomes.map((o) => ({ task: o.task, seed: o.seed, value: bestAt(o, i / POINTS) }))).map(mean),
    ),
  );
}

/** @throws RangeError for no outcomes. */
export function pictureOf(outcomes: readonly Outcome[], title: string): string {
  const names = [...new Set(outcomes.map(({ recipe }) => recipe))];
  if (names.length === 0) throw new RangeError("outcomes: found none, allowed at least one");
  const lines = names
    .map((name, i) => ({
      name,
      kind: `line${i}`,
      values: progressOf(outcomes.filter((o) => o.recipe === name)),
    }))
    .sort((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  const highest = Math.max(...lines.flatMap(({ values }) => values));
  let free = Number.POSITIVE_INFINITY;
  const named = lines.map((line) => {
    const at = Math.min(line.values.at(-1) ?? 0, free);
    free = at - APART;
    return { ...line, at };
  });
  const rules = (theme: 0 | 1, more: string) =>
    names.map((_, i) => {
      const colour = COLOURS[i % COLOURS.length]?.[theme];
      return `\n.line${i} { stroke: ${colour}${more} }\ntext.line${i} { stroke: none; fill: ${colour} }`;
    });
  const seeds = new Set(outcomes.map(({ seed }) => seed)).size;
  const tasks = new Set(outcomes.map(({ task }) => task)).size;
  return chartSvg({
    title,
    subtitle: `score of the agent that would be delivered, best so far; mean of ${tasks} tasks, up to ${seeds} seeds each`,
    style: {
      light: rules(0, "; stroke-width: 2; fill: none; stroke-linejoin: round").join(""),
      dark: rules(1, "").join(""),
    },
    across: { least: 0, most: 100, title: "environment steps, % of the budget, all members together" },
    up: { least: 0, most: Math.max(1, highest), title: "score" },
    right: 480,
    marks: ({ place }) =>
      named.flatMap(({ name, kind, values, at }) => {
        const points = values.map((value, i) => place((100 * i) / POINTS, value));
        const [x, y] = place(101.5, at).split(",");
        const words = recipes.find((recipe) => recipe.name === name)?.title.replaceAll("`", "") ?? name;
        return [
          `<polyline class="${kind}" points="${points.join(" ")}"/>`,
          `<text class="${kind}" x="${x}" y="${Number(y) + 4}">${escaped(words)}</text>`,
        ];
      }),
  });
}
