/** Writes what seeds of a learning row reached to bench/results. */

import type { Figure } from "../harness/Row.ts";
import { record } from "../harness/record.ts";
import { summarise } from "../harness/statistics.ts";

/** What one seed reached. */
export interface SeedOutcome {
  readonly passed: boolean;
  /** Environment steps of each agent until it passed, or in all where only the end counts. */
  readonly steps: number;
  readonly score: number;
  /** Wall time until then. */
  readonly seconds: number;
}

export interface LearningRecord {
  readonly row: string;
  readonly title: string;
  readonly command: string;
  readonly must_pass: number;
  readonly outcomes: readonly SeedOutcome[];
}

/** Names of the figures of a learning row; the gallery of templates reads steps and seconds. */
export const SEEDS_THAT_PASS = "seeds that pass";
export const STEPS_UNTIL_THEN = "steps of each agent until then";
export const SECONDS_UNTIL_THEN = "seconds until then";

const figuresOf = (seeds: number, must_pass: number): readonly Figure[] => [
  { name: SEEDS_THAT_PASS, unit: `of ${seeds}`, target: { at_least: must_pass }, digits: 0 },
  { name: STEPS_UNTIL_THEN, unit: "steps", digits: 0 },
  { name: "score at the end", unit: "", digits: 2 },
  { name: SECONDS_UNTIL_THEN, unit: "s", digits: 1 },
];

export function recordLearning({ must_pass, outcomes, ...row }: LearningRecord): void {
  const passed = outcomes.filter((outcome) => outcome.passed);
  const count = { median: passed.length, min: passed.length, max: passed.length };
  record({
    ...row,
    figures: figuresOf(outcomes.length, must_pass),
    summaries: [
      count,
      passed.length > 0 ? summarise(passed.map(({ steps }) => steps)) : null,
      summarise(outcomes.map(({ score }) => score)),
      passed.length > 0 ? summarise(passed.map(({ seconds }) => seconds)) : null,
    ],
  });
}
