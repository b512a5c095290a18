import type { LoopPlan } from "./TrainingRun.ts";
import type { Member } from "./Workload.ts";

/**
 * Steps of a run's members together when it ends by them: only whole generations are trained, so these are more than
 * `max_steps` says where that is no multiple of a generation's.
 * @param generationSteps Steps that a member takes in a generation; where nobody knows, the run ends right at its limit.
 */
export function expectedSteps<A extends Pick<Member, "steps">>(
  { max_steps, max_steps_of }: Pick<LoopPlan, "max_steps" | "max_steps_of">,
  members: readonly A[],
  generationSteps: (member: A) => number = () => 1,
): number {
  const [first, ...others] = members;
  if (!first) return 0;
  const taken = members.reduce((sum, { steps }) => sum + steps, 0);
  // The run ends with the member that is furthest.
  const furthest = others.reduce((a, b) => (b.steps > a.steps ? b : a), first);
  const steps = Math.max(1, generationSteps(furthest));
  const together = steps * members.length;
  const left =
    max_steps_of === "population" ? (max_steps - taken) / together : (max_steps - furthest.steps) / steps;
  return taken + Math.max(0, Math.ceil(left)) * together;
}
