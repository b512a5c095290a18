import { type AgentState, vectorSteps } from "../../agents/members.ts";
import type { RunPlan } from "./RunPlan.ts";

/**
 * Fraction of the remaining steps by which a run may exceed `max_steps` without a warning; some excess is
 * normal, because generations are whole.
 */
const UNSAID = 0.1;

type Member = Pick<AgentState, "steps" | "hyperparameters">;

/** Minimum environment steps of a member before it can stop, and its steps per generation. */
export function wholeSteps({ hyperparameters }: Member, { num_envs, evo_steps, off_policy }: RunPlan) {
  if (off_policy?.offline) return { least: 1, generation: evo_steps };
  if (off_policy) return { least: num_envs, generation: vectorSteps(evo_steps, num_envs) * num_envs };
  const learn_step = Number(hyperparameters.learn_step);
  const least = Math.ceil(learn_step / num_envs) * num_envs;
  return { least, generation: Math.max(1, Math.ceil(evo_steps / learn_step)) * least };
}

/**
 * A warning if members will take far more steps than `max_steps` with their current hyperparameters. This is
 * the case if one rollout is longer than the remaining steps, or if whole generations exceed them by more
 * than a tenth. Null otherwise.
 */
export function overshootWarning(plan: RunPlan, members: readonly Member[]): string | null {
  const [first, ...others] = members;
  if (!first) return null;
  // The member with the most steps ends the run.
  const furthest = others.reduce((a, b) => (b.steps > a.steps ? b : a), first);
  const isShared = plan.max_steps_of === "population";
  const taken = isShared ? members.reduce((sum, { steps }) => sum + steps, 0) : furthest.steps;
  const left = plan.max_steps - taken;
  if (left <= 0) return null;
  // If all members share the budget, each generation and each rollout takes steps for every member.
  const shares = isShared ? members.length : 1;
  const whole = wholeSteps(furthest, plan);
  const [least, generation] = [whole.least * shares, whole.generation * shares];
  const over = Math.ceil(left / generation) * generation - left;
  if (over <= UNSAID * left && least <= left) return null;
  const { learn_step } = furthest.hyperparameters;
  const one = plan.off_policy
    ? plan.off_policy.offline
      ? `a generation is ${generation} learning steps`
      : `a generation is ${generation} steps of ${plan.num_envs} environments`
    : `a generation is ${generation} steps${isShared ? " of all agents" : ""}, in rollouts of ${whole.least} (learn_step ${learn_step}, ${plan.num_envs} environments)`;
  return `max_steps is ${plan.max_steps}, but agents will take ${plan.max_steps + over} (${over} more), because only whole generations are trained: ${one}`;
}
