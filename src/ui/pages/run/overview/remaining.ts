import type { ProgressReport } from "../../../../training/loop/observer.ts";

/** Seconds until the run has taken all its steps at the present pace; null while nobody can tell. */
export function remainingSeconds(progress: ProgressReport | null): number | null {
  if (progress === null || !(progress.steps_per_second > 0)) return null;
  return Math.max(0, progress.total_steps - progress.global_step) / progress.steps_per_second;
}
