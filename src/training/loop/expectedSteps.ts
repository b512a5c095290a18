import type { LoopPlan } from "./TrainingRun.ts";
import type { Member } from "./Workload.ts";

/**
 * Total steps over all members when the step budget ends the run. Only whole generations are trained, so the
 * total exceeds `max_steps` unless that is a multiple of a generation's steps.
 * @param generationSteps Steps that a member takes in a generation (default: 1, so that the run ends exactly
 *   at its limit).
 */
export function expectedSteps<A extends Pick<Member, "steps">>(
  { max_steps, max_steps_of }: Pick<LoopPlan, "max_steps" | "max_steps_of">,
  members: readonly A[],
  generationSteps: (member: A) => number = () => 1,
): number {
  const [first, ...others] = members;
  if (!first) return 0;
  const taken = members.reduce((sum, { steps }) => sum + steps, 0);
  // The member with the most steps ends the run.
  const furthest = others.reduce((a, b) => (b.steps > a.steps ? b : a), first);
  const steps = Math.max(1, generationSteps(furthest));
  const together = steps * members.length;
  const left =
    max_steps_of === "population" ? (max_steps - taken) / together : (max_steps - furthest.steps) / steps;
  return taken + Math.max(0, Math.ceil(left)) * together;
}
