/**
 * Hyperparameters that change over a run's steps. A program replaces their values before each learning phase by the
 * member's own ones times a factor, which depends only on the steps taken so far. Programs of members without a schedule
 * have no trace of this.
 */
import { add, cast, cos, minimum, mul, state, sub, type Tensor } from "../../kernels/index.ts";
import { finalField, type Schedule, schedulesIn } from "../../specs/algorithms.ts";
import { type Hyperparameters, hyperparameter, hyperparameterName } from "../contract/inputs.ts";
import type { Algorithm } from "../contract/onPolicy.ts";

/**
 * Names of f32 scalars: the part of the run's steps that were taken before the turn, and what a vector step adds to it
 * (for members that only learn: a learning step). Both are 0 outside a run, where values stay as they are.
 */
export const PROGRESS = { start: "schedule.progress", step: "schedule.progress_step" } as const;

/** Name of the buffer that holds the member's own value of a hyperparameter that has a schedule. */
export const ownValueName = (name: string): string => `schedule.own.${name}`;

/** Name of the metric that reports the scheduled value of a hyperparameter. */
export const scheduledMetric = (name: string): string => `scheduled_${name}`;

/** A schedule, and the hyperparameters that follow it. */
interface Scheduled extends Schedule {
  readonly names: readonly string[];
}

/** A member's schedules that are not constant. */
export const scheduled = (
  { optimizers }: Pick<Algorithm, "optimizers">,
  hyperparameters: Hyperparameters,
): readonly Scheduled[] =>
  schedulesIn(hyperparameters).map((schedule) => {
    const rates = new Set(Object.values(optimizers).map(({ lr }) => lr));
    return { ...schedule, names: schedule.of === "lr" ? [...rates] : [schedule.of] };
  });

/** The part of the way to the final factor, 0 to 1, after part `done` of the run. */
function way({ kind }: Schedule, done: Tensor): Tensor {
  if (kind === "linear") return done;
  return minimum(mul(sub(1, cos(mul(done, Math.PI))), 0.5), 1);
}

/**
 * Sets the values of hyperparameters that have a schedule.
 * @param steps Returns the vector steps (or learning steps) of the turn so far, i32.
 */
export function followSchedules(
  {
    algorithm,
    hyperparameters,
  }: { readonly algorithm: Algorithm; readonly hyperparameters: Hyperparameters },
  steps: () => Tensor,
): void {
  const all = scheduled(algorithm, hyperparameters);
  if (all.length === 0) return;
  const taken = mul(cast(steps(), "f32"), state(PROGRESS.step).read());
  const done = minimum(add(state(PROGRESS.start).read(), taken), 1);
  for (const schedule of all) {
    const change = sub(1, hyperparameter(finalField(schedule.of)));
    const factor = sub(1, mul(change, way(schedule, done)));
    for (const name of schedule.names)
      state(hyperparameterName(name)).write(mul(state(ownValueName(name)).read(), factor));
  }
}
