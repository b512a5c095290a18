import { trainsOnText } from "../../../../specs/sections.ts";
import type { FitnessColumns } from "../../../../tracking/clients.ts";
import type { RunSummary } from "../../../../workers/protocol.ts";
import { Facts } from "../../../components/Facts.tsx";
import { fitnessWord } from "../../../games/fitnessWord.tsx";
import {
  formatCount,
  formatDuration,
  formatScore,
  formatShort,
  formatThings,
  NONE,
} from "../../../lib/format.ts";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import type { RunViewState } from "../../../state/RunViewState.ts";
import { roughly, type TimeLeft, timeLeft } from "./timeLeft.ts";

/**
 * The progress of a run as text. A generation is never cut short, so a run may take more steps than
 * requested.
 *
 * @param total number of requested steps; null if unknown, or of no interest because the run has finished
 * @param early whether the run may end before it has taken them
 */
export function stepsText(steps: number, total: number | null, early = false): string {
  if (total === null) return `${formatCount(steps)} steps`;
  return steps > total
    ? `${formatCount(steps)} steps (${formatCount(total)} requested)`
    : `${formatCount(steps)} of ${early ? "at most " : ""}${formatCount(total)} steps`;
}

const EARLY_ENDS = [
  "training.target_score",
  "training.early_stopping_patience",
  "training.max_wall_seconds",
] as const;

interface Props {
  readonly view: RunViewState;
  readonly summary: RunSummary;
  readonly columns: FitnessColumns;
}

/** The generation in which the best fitness was first reached; null if there is none. */
function generationOfBest({ population, generation, fitness }: FitnessColumns): number | null {
  let best = -1;
  for (const [cell, value] of fitness.entries())
    if (Number.isFinite(value) && !(value <= (fitness[best] ?? Number.NaN))) best = cell;
  return generation[Math.floor(best / population)] ?? null;
}

/** The time that is left, as a range if the target may end the run before its last step. */
function timeLeftRow(left: TimeLeft | null, early: boolean): readonly [label: string, text: string] {
  if (left === null) return ["Time left", NONE];
  const most = roughly(left.most);
  if (left.least === null) return [early ? "Time left at most" : "Time left", most];
  return ["Time left, target to last step", `${roughly(left.least)} to ${most}`];
}

/** The run's progress: the champion or the best evaluation, speed, time left, last checkpoint, and steps taken. */
export function RunStrip({ view, summary, columns }: Props) {
  const { progress, latest } = view;
  const word = fitnessWord(view);
  const stepName = trainsOnText(view.manifest) ? "Turns or rows" : "Environment steps";
  const active = summary.state === "running";
  const finished = summary.state === "finished";
  const speed = active ? (progress ?? latest) : latest;
  const steps = Math.max(progress?.global_step ?? 0, summary.global_step);
  const total = progress?.total_steps ?? view.total_steps;
  const target = manifestNumber(view.manifest, "training.target_score");
  const left = active ? timeLeft(columns, progress, target) : null;
  // A target or a time limit may end the run before its last step.
  const early = EARLY_ENDS.some((field) => manifestNumber(view.manifest, field) !== null);
  const { last_checkpoint: checkpoint, champion } = summary;
  const found = generationOfBest(columns);
  return (
    <section className="panel strip" aria-label="Progress">
      <Facts
        className="facts figures stats"
        rows={[
          champion === null
            ? [
                found === null
                  ? "Best so far"
                  : `Best ${word === "rating" ? word : "evaluation"}, generation ${formatCount(found)}`,
                formatScore(summary.best_fitness),
              ]
            : [
                `Champion, ${formatThings(champion.episodes, "final episode")}`,
                formatScore(champion.fitness),
              ],
          [`${stepName} / s`, formatShort(speed?.steps_per_second ?? null)],
          active
            ? timeLeftRow(left, early)
            : [
                "Trained for",
                columns.generations === 0 ? NONE : formatDuration(columns.seconds.reduce((a, b) => a + b, 0)),
              ],
          [
            "Last checkpoint",
            checkpoint === null ? NONE : `generation ${formatCount(checkpoint.generation)}`,
          ],
        ]}
      />
      <div className="row quiet strip__progress">
        {total !== null && !finished && (
          <progress aria-label={stepName} value={Math.min(steps, total)} max={total} />
        )}
        <span>{stepsText(steps, finished ? null : total, early)}</span>
      </div>
    </section>
  );
}
