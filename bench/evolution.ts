/**
 * `npx tsx bench/evolution.ts [--task NAME]...`: does evolution help? Spends the same total number of
 * environment steps in three ways, from good and from poor learning rates, with five seeds. Scores are those
 * of the best member in 20 greedy episodes at the end of every generation.
 */
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import {
  type EvolutionTask,
  evolutionTasks,
  manifestOf,
  type Spending,
  spendings,
} from "./evolution/cases.ts";
import { machineNote } from "./harness/machine.ts";
import { median } from "./harness/statistics.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";
import { SEEDS } from "./learning/rows.ts";
import type { Point } from "./learning/trainOnce.ts";
import { verdictOf } from "./learning/verdict.ts";
import { Judge } from "./subjects/judge.ts";
import { runPopulation } from "./subjects/populationRun.ts";

interface Outcome {
  /** Total environment steps until the threshold was reached twice in succession; null if it never was. */
  readonly steps: number | null;
  /** Mean score over the last quarter of the run. */
  readonly last: number;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

async function outcomeOf(
  task: EvolutionTask,
  rate: "good" | "poor",
  spending: Spending,
  seed: number,
): Promise<Outcome> {
  const manifest = manifestOf(task, rate, spending);
  const judge = await Judge.in(task.environment);
  const points: Point[] = [];
  await runPopulation(manifest, {
    seed,
    workers: spending === "alone" ? 1 : 2,
    atBoundary: ({ state: { elite }, report, seconds }) => {
      if (elite) points.push({ steps: report.global_step, score: judge.score(elite), seconds });
      return false;
    },
  });
  const { passed } = verdictOf(points, task.threshold);
  const quarter = points.slice(-Math.ceil(points.length / 4));
  return { steps: passed?.steps ?? null, last: mean(quarter.map(({ score }) => score)) };
}

async function report(task: EvolutionTask): Promise<void> {
  const rows: string[][] = [];
  for (const rate of ["good", "poor"] as const) {
    for (const spending of Object.keys(spendings) as Spending[]) {
      const outcomes: Outcome[] = [];
      for (const seed of SEEDS) outcomes.push(await outcomeOf(task, rate, spending, seed));
      const last = outcomes.map((o) => o.last);
      const steps = outcomes.map((o) => o.steps ?? Number.POSITIVE_INFINITY);
      rows.push([
        `${rate}: ${Object.values(task.rates[rate])[0] ?? ""}`,
        spendings[spending],
        `${steps.filter(Number.isFinite).length} of ${SEEDS.length}`,
        Number.isFinite(median(steps)) ? formatNumber(median(steps), 0) : "not reached",
        formatNumber(median(last)),
        `${formatNumber(Math.min(...last))} to ${formatNumber(Math.max(...last))}`,
      ]);
    }
  }
  const { name, threshold } = task;
  console.log(`\n## ${name}\n`);
  console.log(
    markdownTable(
      [
        "learning rates",
        "how",
        `seeds that reach ${threshold}`,
        "steps in all by then, median",
        "score over the last quarter, median",
        "of five seeds",
      ],
      rows,
    ),
  );
}

const { values: options } = parseArgs({ options: { task: { type: "string", multiple: true, default: [] } } });
if (!(await buildLibIfStale())) process.exitCode = 1;
else {
  console.log(machineNote());
  const { task: names } = options;
  for (const task of evolutionTasks)
    if (names.length === 0 || names.some((name) => task.name.startsWith(name))) await report(task);
}
