import type { RunSummary } from "../../../../workers/protocol.ts";
import { formatCount, formatScore } from "../../../lib/format.ts";

type Told = Pick<RunSummary, "id" | "state" | "compared_with" | "champion" | "best_fitness" | "global_step"> &
  Pick<RunSummary, "created_at">;

/** A run with evolution and its pair without. */
export interface Pair<R extends Told = RunSummary> {
  readonly evolved: R;
  readonly still: R;
}

/** The newest pair that a run belongs to; null for none, and if the other run is gone. */
export function pairOf<R extends Told>(run: R, runs: readonly R[]): Pair<R> | null {
  const evolved = runs.find(({ id }) => id === run.compared_with);
  if (run.compared_with !== null) return evolved ? { evolved, still: run } : null;
  const [still] = runs
    .filter(({ compared_with }) => compared_with === run.id)
    .sort((a, b) => b.created_at - a.created_at);
  return still ? { evolved: run, still } : null;
}

const hasEnded = ({ state }: Told): boolean => state === "finished";

/** What a run delivers, and after how many steps of its population. */
function deliveryText({ champion, best_fitness, global_step }: Told): string {
  const steps = `after ${formatCount(global_step)} steps`;
  if (champion)
    return `${formatScore(champion.fitness)} ${steps} (mean of ${formatCount(champion.episodes)} final episodes)`;
  return best_fitness === null
    ? `no score yet ${steps}`
    : `${formatScore(best_fitness)} ${steps} (best single evaluation, which luck favours)`;
}

/** What both runs of a pair deliver, in sentences. */
export function pairText({ evolved, still }: Pair<Told>): string {
  const ended = hasEnded(evolved) && hasEnded(still);
  const scores = `With evolution: ${deliveryText(evolved)}. Without: ${deliveryText(still)}.`;
  if (!ended) return `${scores} The comparison is complete when both runs have finished.`;
  const [own, other] = [evolved.champion?.fitness, still.champion?.fitness];
  const better =
    own === undefined || other === undefined || own === other
      ? ""
      : ` Evolution delivered the ${own > other ? "better" : "worse"} agent here.`;
  return `${scores}${better} This is one seed: repeat both with others before you conclude anything.`;
}
