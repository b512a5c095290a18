/** When a run ends, and how many steps that takes. */
import type { Member } from "./Workload.ts";

export interface EarlyStopping {
  /** Evaluations without a better best fitness after which the run ends. */
  readonly patience: number;
  /** By how much a fitness must exceed the best to count as better. */
  readonly threshold: number;
}

/** @param training Its fields of early stopping. @returns null without patience. @internal */
export const earlyStoppingOf = (training: {
  readonly early_stopping_patience: number | null;
  readonly early_stopping_threshold: number;
}): EarlyStopping | null =>
  training.early_stopping_patience === null
    ? null
    : { patience: training.early_stopping_patience, threshold: training.early_stopping_threshold };

/** Conditions that end a run. */
export interface LoopPlan {
  /** The run ends at the first generation boundary where a member has taken this many steps. */
  readonly max_steps: number;
  /** Whether `max_steps` counts each member's steps or those of the whole population (default: "member"). */
  readonly max_steps_of?: "member" | "population";
  /** The run ends when every member's mean fitness is above this; `null` means no target. */
  readonly target: number | null;
  /** The run ends when its best fitness no longer rises (default: `null`, never). */
  readonly early_stopping?: EarlyStopping | null;
  /**
   * The run ends at the first generation boundary after this many seconds of training (default: `null`, no
   * limit).
   */
  readonly max_wall_seconds?: number | null;
  /** Number of generations per selection and mutation (default: 1). */
  readonly evolve_every?: number;
  /** Episodes of the final evaluation, which chooses the champion (default: 0, none). */
  readonly final_episodes?: number;
  /** More episodes for members whose near ties would decide a selection (default: 0, none). */
  readonly tie_episodes?: number;
  /** Number of most recent evaluations whose mean ranks members (default: 1). */
  readonly fitness_window?: number;
  /**
   * If given, replaces `max_steps`: the run ends at the first generation boundary where this returns true.
   */
  readonly finished?: (members: readonly Member[]) => boolean;
  /** The unit of `checkpoint_steps` (default: each member's steps). */
  readonly checkpoints_by?: "generations";
}

/** Whether the members have reached the step budget of the run. */
export const hasSteps = (
  { max_steps, max_steps_of, finished }: LoopPlan,
  members: readonly Member[],
): boolean => {
  if (finished) return finished(members);
  return max_steps_of === "population"
    ? members.reduce((sum, { steps }) => sum + steps, 0) >= max_steps
    : members.some(({ steps }) => steps >= max_steps);
};

/** Total steps over all members when the step budget ends the run. */
export const totalSteps = ({ max_steps, max_steps_of }: LoopPlan, members: number): number =>
  max_steps_of === "population" ? max_steps : max_steps * members;

/**
 * Total steps over all members when the step budget ends the run. Only whole generations are trained, so the
 * total exceeds `max_steps` unless that is a multiple of a generation's steps.
 * @param generationSteps Steps that a member takes in a generation (default: 1, so that the run ends exactly
 *   at its limit).
 * @param activeIn Members that take turns in a generation; 0 for the coming one (default: all).
 * @internal
 */
export function expectedSteps<A extends Pick<Member, "steps">>(
  { max_steps, max_steps_of }: Pick<LoopPlan, "max_steps" | "max_steps_of">,
  members: readonly A[],
  generationSteps: (member: A) => number = () => 1,
  activeIn: (ahead: number) => number = () => members.length,
): number {
  const [first, ...others] = members;
  if (!first) return 0;
  const taken = members.reduce((sum, { steps }) => sum + steps, 0);
  // The member with the most steps ends the run.
  const furthest = others.reduce((a, b) => (b.steps > a.steps ? b : a), first);
  const steps = Math.max(1, generationSteps(furthest));
  const together = steps * activeIn(MANY);
  const isShared = max_steps_of === "population";
  let [left, total] = [isShared ? max_steps - taken : max_steps - furthest.steps, taken];
  // Members rest after some generations, so the first ones are counted one by one.
  for (let ahead = 0; left > 0 && activeIn(ahead) !== activeIn(MANY); ahead++) {
    total += steps * activeIn(ahead);
    left -= isShared ? steps * activeIn(ahead) : steps;
  }
  return total + Math.max(0, Math.ceil(left / (isShared ? together : steps))) * together;
}

/** More generations than any run has. */
const MANY = 2 ** 31;
