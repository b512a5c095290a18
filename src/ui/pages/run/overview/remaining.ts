import type { ProgressReport } from "../../../../training/loop.ts";

/** Estimated seconds until the run has taken all its steps at the current speed; null if unknown. */
export function remainingSeconds(progress: ProgressReport | null): number | null {
  if (progress === null || !(progress.steps_per_second > 0)) return null;
  return Math.max(0, progress.total_steps - progress.global_step) / progress.steps_per_second;
}
