/** What the training functions of agents that play several have in common. */
import type { MultiAgentAlgorithm } from "../../rl/agents/index.ts";

/** Steps where callers say nothing (interface 4.5). */
export const TEAM_DEFAULTS = { max_steps: 50_000, evo_steps: 25 } as const;

/** Fitness of each member: a number, or its agents' scores by id where they are not summed. */
export type TeamFitnesses<Sum extends boolean> = Sum extends false ? Record<string, number>[] : number[];

/** Fitnesses as the caller asked for them. */
export function teamFitnesses<Sum extends boolean>(
  population: readonly MultiAgentAlgorithm[],
  fitnesses: readonly number[],
  sum_scores: Sum | undefined,
): TeamFitnesses<Sum> {
  const given =
    sum_scores === false ? population.map((agent) => ({ ...agent.agent_fitness })) : [...fitnesses];
  return given as TeamFitnesses<Sum>; // What its condition says.
}
