/**
 * `npm run results -- [--list] [--row NAME]...`: trains templates with five seeds, prints whether they learn, and adds
 * it to bench/results.
 * Finished seeds are cached under .cache/, so an interrupted row continues with the next seed.
 */
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import { machineNote } from "./harness/machine.ts";
import { meanAndDeviation } from "./harness/statistics.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";
import { ResultCache } from "./learning/cache.ts";
import { pointsOf } from "./learning/pointsOf.ts";
import { recordLearning, type SeedOutcome } from "./learning/recordLearning.ts";
import { findLearningRow, type LearningRow, learningRows, MUST_PASS, SEEDS } from "./learning/rows.ts";
import { verdictOf } from "./learning/verdict.ts";

const { values: options } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    row: { type: "string", multiple: true, default: [] },
  },
});

async function report(row: LearningRow): Promise<void> {
  const { name, template, threshold, max_steps, seeds = SEEDS.length, must_pass = MUST_PASS } = row;
  const cache = new ResultCache(row);
  const lines: string[][] = [];
  const outcomes: SeedOutcome[] = [];
  for (const seed of SEEDS.slice(0, seeds)) {
    const { passed, held, last, seconds } = verdictOf(await pointsOf(row, seed, cache), threshold);
    outcomes.push({ passed: passed !== null, steps: passed?.steps ?? Number.NaN, score: last, seconds });
    lines.push([
      String(seed),
      passed ? formatNumber(passed.steps, 0) : "not reached",
      passed ? `${Math.round(held * 100)} %` : "",
      formatNumber(last, 1),
      formatNumber(seconds, 1),
    ]);
  }
  const budget = formatNumber(max_steps, 0);
  const measured = row.measures ? "success " : "";
  const title = `${template}: ${measured}${threshold.toLocaleString("en")} within ${budget}`;
  const command = `npm run results -- --row ${name}`;
  console.log(`\n## ${name}: template ${title}\n${command}\n`);
  console.log(
    markdownTable(
      ["seed", "passed at step", "held from there on", "last score", "seconds until then"],
      lines,
    ),
  );
  const { mean, deviation } = meanAndDeviation(outcomes.map(({ score }) => score));
  console.log(`\nlast score of the best member: ${formatNumber(mean, 1)} +- ${formatNumber(deviation, 1)}`);
  const passes = outcomes.filter(({ passed }) => passed).length;
  const verdict = passes >= must_pass ? "met" : "not met";
  console.log(`${passes} of ${seeds} seeds pass (at least ${must_pass} must): ${verdict}`);
  recordLearning({ row: name, title, command, must_pass, outcomes });
}

if (options.list) {
  for (const { name, template, threshold, max_steps } of learningRows)
    console.log(`${name.padEnd(14)} ${template}: ${threshold} within ${formatNumber(max_steps, 0)} steps`);
} else if (!(await buildLibIfStale())) process.exitCode = 1;
else {
  console.log(machineNote());
  const chosen = options.row.length > 0 ? options.row.map(findLearningRow) : learningRows;
  for (const row of chosen) await report(row);
}
