/**
 * Credit for learning of members whose learning steps are due by the transitions of the whole population. A
 * learning step costs `learn_step` of credit; alone, a member earns one for each transition that it collects.
 */
import { type AgentState, algorithmOf, vectorSteps } from "../../agents/members.ts";
import type { RunPlan } from "./kinds.ts";
import type { RunState } from "./runState.ts";

/**
 * Slot of the last generation in which a member, or else its parent, trained; null for neither.
 * @param before The members of that generation.
 */
export function sourceOf({ index, parent }: AgentState, before: readonly AgentState[]): number | null {
  const slotOf = (wanted: number | null) => before.findIndex((member) => member.index === wanted);
  const itself = slotOf(index);
  const source = itself >= 0 ? itself : slotOf(parent);
  return source >= 0 ? source : null;
}

/** Fractions of credit, and the sum up to which f32 counts them exactly. */
const GRAIN = 1024;
const MOST_EXACT = 16_384;

/**
 * Rounds the credit of a vector step down, so that programs add it up exactly in f32: to a multiple of
 * 1 / {@link GRAIN}, or to a whole number if it is large.
 */
function exactIn32Bits(credit: number, learn_step: number): number {
  const grain = credit + learn_step < MOST_EXACT ? GRAIN : 1;
  return Math.floor(credit * grain) / grain;
}

/**
 * Most learning steps per transition that a member itself collects, if learning steps are due by the
 * transitions of all members; null if a member's own count alone.
 */
export const sharedRatio = ({ off_policy }: RunPlan, members: readonly AgentState[]): number | null =>
  members.length > 1 ? (off_policy?.max_replay_ratio ?? null) : null;

/**
 * Credit that each vector step of a member's turn earns. It is what the member would earn alone, times the
 * transitions that the population collected since the member's last turn, over its own in this turn. Others'
 * are those of the last generation, which become visible now.
 * @param most Most learning steps per transition of its own.
 */
export function sharedCredit(
  agent: AgentState,
  slot: number,
  { members, replay }: RunState,
  { num_envs, evo_steps }: RunPlan,
  most: number,
): number {
  const learn_step = Number(agent.hyperparameters.learn_step);
  const own = vectorSteps(evo_steps, num_envs) * num_envs;
  const source = sourceOf(agent, members) ?? slot;
  const others = (replay?.collected ?? []).reduce((sum, n, i) => (i === source ? sum : sum + n), 0);
  const algorithm = algorithmOf(agent);
  // Alone, such algorithms take learn_step learning steps after each vector step.
  const eachStep = algorithm.kind === "off_policy" && algorithm.learnsEachStep;
  const alone = eachStep ? learn_step * learn_step : num_envs;
  const credit = (alone * (own + others)) / own;
  return exactIn32Bits(Math.min(credit, most * num_envs * learn_step), learn_step);
}
