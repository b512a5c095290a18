/** The run whose agent another one began with, and how far fitness fell below it. */

import type { RunSummary } from "../../../../workers/protocol.ts";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { manifestValue } from "../../../lib/manifestValues.ts";
import type { FitnessRow } from "./fitnessModel.ts";

export interface Beginning {
  /** Name of the run. */
  readonly name: string;
  /** Fitness of its best agent. */
  readonly fitness: number;
}

/** Null for a run that began with new agents, and where that run is gone or was in another environment. */
export function beginningOf(
  manifest: unknown,
  environment: string,
  runs: readonly RunSummary[],
): Beginning | null {
  const path = manifestValue(manifest, "training.load_weights_from");
  if (typeof path !== "string" || !path.startsWith("runs/")) return null;
  const run = runs.find(({ id }) => path === `runs/${id}`);
  if (!run || run.environment !== environment) return null;
  const fitness = run.champion?.fitness ?? run.best_fitness;
  return fitness === null ? null : { name: run.name, fitness };
}

/** What the best member of each generation says: whether it fell below the beginning, and since when it is back. */
export function dipText(
  { name, fitness }: Beginning,
  rows: readonly FitnessRow[],
  generations: ArrayLike<number>,
): string {
  const bests = rows.map(({ range: [, best] }) => best);
  const lowest = bests.reduce<number | null>(
    (least, best, i) => (least === null || best < (bests[least] ?? best) ? i : least),
    null,
  );
  const begun = `It began with the best agent of ${name}, whose fitness was ${formatScore(fitness)}`;
  if (lowest === null) return `${begun}.`;
  const at = (i: number): string => formatCount(generations[rows[i]?.row ?? 0] ?? 0);
  const least = bests[lowest] ?? fitness;
  if (least >= fitness) return `${begun}, and no generation's best fell below it.`;
  const fell = `${begun}; the best of generation ${at(lowest)} fell to ${formatScore(least)}`;
  const back = bests.findIndex((best, i) => i > lowest && best >= fitness);
  return back < 0
    ? `${fell}, and none has come back to it since.`
    : `${fell}, and generation ${at(back)} came back to it.`;
}
