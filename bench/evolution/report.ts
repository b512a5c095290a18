/** Markdown tables of the evolution bench. */
import { median } from "../harness/statistics.ts";
import { formatNumber, markdownTable } from "../harness/table.ts";
import type { Outcome } from "./measure.ts";
import { type Interval, interquartile, mean, meanOverTasks, paired, type Sample } from "./statistics.ts";
import { evolutionTasks, findTask } from "./tasks.ts";

type Measure = "delivered" | "area" | "final" | "kept";

const number = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : "");
const cell = ({ estimate, low, high, count }: Interval): string =>
  count === 0 ? "" : `${number(estimate)} [${number(low)}, ${number(high)}]`;

const samplesOf = (outcomes: readonly Outcome[], recipe: string, measure: Measure): Sample[] =>
  outcomes
    .filter((o) => o.recipe === recipe)
    .map(({ task, seed, [measure]: value }) => ({ task, seed, value }));

const recipesIn = (outcomes: readonly Outcome[]): string[] => [...new Set(outcomes.map((o) => o.recipe))];

/** Interquartile means over all tasks, and what each contender spent per run. */
function summary(outcomes: readonly Outcome[]): string {
  const rows = recipesIn(outcomes).map((recipe) => {
    const own = outcomes.filter((o) => o.recipe === recipe);
    const average = (of: (o: Outcome) => number, digits = 0) => formatNumber(mean(own.map(of)), digits);
    const reached = own.map((o) => (100 * (o.steps_to_target ?? Infinity)) / findTask(o.task).budget);
    const middle = median(reached);
    return [
      recipe,
      String(own.length),
      ...(["delivered", "area", "final", "kept"] as const).map((m) =>
        cell(interquartile(samplesOf(own, recipe, m))),
      ),
      `${Math.round((100 * reached.filter(Number.isFinite).length) / own.length)} %`,
      Number.isFinite(middle) ? formatNumber(middle, 0) : "not reached",
      average((o) => (100 * o.env_steps) / findTask(o.task).budget, 1),
      average((o) => o.learn_steps),
      average((o) => o.evaluations),
      average((o) => o.processor_s, 1),
    ];
  });
  const header = [
    "recipe",
    "runs",
    "delivered, IQM",
    "area, IQM",
    "final, IQM",
    "kept, IQM",
    "reach the target",
    "after % of the budget, median",
    "steps, % of the budget",
    "learning steps",
    "episodes of evaluation",
    "processor time, s",
  ];
  return markdownTable(header, rows);
}

/** Mean of a measure by task and contender. */
function perTask(outcomes: readonly Outcome[], measure: Measure): string {
  const names = recipesIn(outcomes);
  const tasks = evolutionTasks.filter(({ name }) => outcomes.some((o) => o.task === name));
  const rows = tasks.map(({ name }) => [
    name,
    ...names.map((recipe) => {
      const values = outcomes.filter((o) => o.task === name && o.recipe === recipe).map((o) => o[measure]);
      return values.length === 0 ? "" : number(mean(values));
    }),
  ]);
  return markdownTable([measure, ...names], rows);
}

/** A contender minus each other one, paired by task and seed: over all tasks, and by family. */
function differences(outcomes: readonly Outcome[], recipe: string, measure: Measure): string {
  const families = [...new Set(evolutionTasks.map(({ family }) => family))].filter((family) =>
    outcomes.some((o) => findTask(o.task).family === family),
  );
  const own = samplesOf(outcomes, recipe, measure);
  const rows = recipesIn(outcomes)
    .filter((other) => other !== recipe)
    .map((other) => {
      const pairs = paired(own, samplesOf(outcomes, other, measure));
      const within = (family: string) => pairs.filter(({ task }) => findTask(task).family === family);
      return [
        `${recipe} - ${other}`,
        String(pairs.length),
        cell(meanOverTasks(pairs)),
        ...families.map((family) => cell(meanOverTasks(within(family)))),
      ];
    });
  return markdownTable([`${measure}, difference`, "pairs", "all tasks", ...families], rows);
}

/**
 * All tables.
 *
 * @param against Contenders whose differences from the others are shown.
 */
export function reportOf(outcomes: readonly Outcome[], against: readonly string[]): string {
  if (outcomes.length === 0) return "no finished runs";
  const present = recipesIn(outcomes);
  const measures = ["delivered", "area"] as const;
  return [
    summary(outcomes),
    ...measures.map((measure) => perTask(outcomes, measure)),
    ...against
      .filter((recipe) => present.includes(recipe))
      .flatMap((recipe) => measures.map((measure) => differences(outcomes, recipe, measure))),
  ].join("\n\n");
}
