/** How a turn ends, whoever stepped its environment and on whatever device. */
import { withFitness } from "../../evolution/fitness.ts";
import type { AgentState } from "../member/agentState.ts";
import type { Space } from "../spaces/index.ts";
import { actionCounts } from "./actionCounts.ts";
import { requireFinite, requireFitness } from "./divergence.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Turn, TurnResult } from "./turn.ts";

/** A member after its training, before its evaluation. @throws DivergedError when a weight is not finite. */
export function trainedMember(
  before: AgentState,
  after: AgentState,
  { slot }: Pick<Turn, "slot">,
  env_steps: number,
): AgentState {
  const trained = { ...after, steps: before.steps + env_steps };
  requireFinite(trained, slot);
  return trained;
}

export interface TurnEnd extends Pick<TurnResult, "env_steps" | "learn_steps" | "metrics" | "off_policy"> {
  readonly evaluation: Evaluation;
  /** As `trainedMember` gave it. */
  readonly trained: AgentState;
  readonly action_space: Space;
  /** Training episodes that ended, and the sum of their returns. */
  readonly episodes: { readonly finished: number; readonly total: number };
}

/** @throws DivergedError when the return of the evaluation is not finite. */
export function turnResult(
  { slot }: Pick<Turn, "slot">,
  { trained, episodes, evaluation, ...rest }: TurnEnd,
): TurnResult {
  const fitness = requireFitness(evaluation.fitness, slot);
  const { agent_fitness } = evaluation;
  const each = agent_fitness ? { agent_fitness } : {};
  const action_dist = actionCounts(trained, rest.action_space, rest.off_policy);
  return {
    slot,
    agent: { ...trained, fitness: withFitness(trained.fitness, fitness), ...each },
    fitness,
    ...each,
    score: episodes.finished > 0 ? episodes.total / episodes.finished : null,
    env_steps: rest.env_steps,
    learn_steps: rest.learn_steps,
    metrics: rest.metrics,
    ...(action_dist && { histograms: { action_dist } }),
    off_policy: rest.off_policy,
  };
}
