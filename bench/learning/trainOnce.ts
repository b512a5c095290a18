import type { AgentState } from "../../src/agents/members.ts";
import { parseManifest, type Template } from "../../src/manifests/index.ts";
import { environmentOf } from "../../src/training/plan.ts";
import { Judge } from "../subjects/judge.ts";
import { runPopulation } from "../subjects/populationRun.ts";
import { type LearningRow, templateManifest } from "./rows.ts";
import { verdictOf } from "./verdict.ts";

/** The score of one generation, evaluated outside of the run. */
export interface Point {
  /** Environment steps per member. */
  readonly steps: number;
  readonly score: number;
  /** Wall time of the training so far in seconds, without the judging. */
  readonly seconds: number;
}

/** The template's manifest with the row's step budget, and without other end conditions. */
export function manifestOf({
  template: id,
  manifest: given,
  max_steps,
  population,
}: LearningRow): Template["manifest"] {
  const manifest = given ?? templateManifest(id);
  const training = { ...manifest.training, max_steps, target_score: null };
  if (population === undefined) return { ...manifest, training };
  const { mutation: _, selection_strategy: __, ...alone } = manifest;
  return { ...alone, training: { ...training, hpo: false, pop_size: population } };
}

/** Trains with one seed and judges each generation's best member. Ignores generations beyond the budget. */
export async function trainOnce(row: LearningRow, seed: number): Promise<Point[]> {
  const manifest = manifestOf(row);
  const { id, options } = environmentOf(parseManifest(manifest));
  const judge = await Judge.in(id, row.episodes, 0, options);
  const scoreOf = (agent: AgentState): number =>
    row.measures === "success_rate" ? judge.successRate(agent) : judge.score(agent);
  const points: Point[] = [];
  await runPopulation(manifest, {
    seed,
    workers: 2,
    atBoundary: ({ state, seconds }) => {
      const { elite } = state;
      if (elite && elite.steps <= row.max_steps)
        points.push({ steps: elite.steps, score: scoreOf(elite), seconds });
      return row.ends_when_passed === true && verdictOf(points, row.threshold).passed !== null;
    },
  });
  return points;
}
