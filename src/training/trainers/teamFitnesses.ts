/** Common parts of the training functions for teams. */
import type { MultiAgentAlgorithm } from "../../agents/classes.ts";

/** Default step counts (interface 4.5). */
export const TEAM_DEFAULTS = { max_steps: 50_000, evo_steps: 25 } as const;

/** Fitness of each member: a number, or its agents' scores by id if they are not summed. */
export type TeamFitnesses<Sum extends boolean> = Sum extends false ? Record<string, number>[] : number[];

/** Fitnesses in the form that the caller requested. */
export function teamFitnesses<Sum extends boolean>(
  population: readonly MultiAgentAlgorithm[],
  fitnesses: readonly number[],
  sum_scores: Sum | undefined,
): TeamFitnesses<Sum> {
  const given =
    sum_scores === false ? population.map((agent) => ({ ...agent.agent_fitness })) : [...fitnesses];
  return given as TeamFitnesses<Sum>; // The conditional type matches `sum_scores`.
}
