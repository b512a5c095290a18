/** What templates took to reach their scores, from bench/results. */
import { latest, type ResultFile } from "../../bench/harness/ResultFile.ts";
import { SECONDS_UNTIL_THEN, STEPS_UNTIL_THEN } from "../../bench/learning/recordLearning.ts";
import { learningRows } from "../../bench/learning/rows.ts";
import type { Results } from "./resultsPage.ts";

/** Of a template: the middle one of the seeds that passed. */
export interface TargetTime {
  /** Mean return of greedy episodes that was reached. */
  readonly score: number;
  /** Environment steps of each agent until then. */
  readonly steps: number;
  /** Seconds on that machine; null where they were not measured alone. */
  readonly seconds: number | null;
}

const newest = (file: ResultFile, name: string): number | null => {
  const at = file.figures.findIndex((figure) => figure.name === name);
  return latest(file, at)?.values[at]?.median ?? null;
};

/** By template's id. */
export function targetTimes(results: Results): Readonly<Record<string, TargetTime>> {
  const times = learningRows.flatMap(
    ({ name, template, manifest, threshold, measures }): [string, TargetTime][] => {
      const file = results[name];
      const steps = file === undefined ? null : newest(file, STEPS_UNTIL_THEN);
      if (file === undefined || steps === null || manifest !== undefined || measures !== undefined) return [];
      const seconds = newest(file, SECONDS_UNTIL_THEN);
      return [[template, { score: threshold, steps, seconds: seconds === null ? null : Math.ceil(seconds) }]];
    },
  );
  return Object.fromEntries(times.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The module that the gallery of templates reads. */
export function targetTimesModule(results: Results): string {
  const entries = Object.entries(targetTimes(results)).map(
    ([id, { score, steps, seconds }]) =>
      `  "${id}": { score: ${score}, steps: ${steps}, seconds: ${seconds} },\n`,
  );
  return `/** Written by \`npx tsx scripts/docs/writeResults.ts\` from bench/results. */

/**
 * By template: the score that was reached, the environment steps of each agent until then, and the seconds where they were
 * measured; the middle one of the seeds that passed.
 */
export const TARGET_TIMES: Readonly<
  Record<string, { readonly score: number; readonly steps: number; readonly seconds: number | null }>
> = {
${entries.join("")}};

/** The machine that took these times. */
export const TARGET_MACHINE = "2 vCPU AMD EPYC";
`;
}
