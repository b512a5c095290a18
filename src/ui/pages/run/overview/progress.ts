import type { ProgressReport } from "../../../../tracking/observer.ts";
import { formatCount } from "../../../lib/format.ts";

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

/** Estimated seconds until the run has taken all its steps at the current speed; null if unknown. */
export function remainingSeconds(progress: ProgressReport | null): number | null {
  if (progress === null || !(progress.steps_per_second > 0)) return null;
  return Math.max(0, progress.total_steps - progress.global_step) / progress.steps_per_second;
}
