/** The choices that an action mask covers: how many there are, and to which agent each belongs. */
import type { Agents } from "./Agents.ts";
import { flatSize, type SingleAgentSpace, type Space } from "./Space.ts";

/**
 * Length of an action mask: one number per choice of a Discrete or MultiDiscrete space, or per bit of a
 * MultiBinary space (0: the bit must not be 1). Masks of several agents are concatenated. A Box has no mask,
 * so the length is 0.
 */
export function choicesOf(space: Space): number {
  if (space.kind === "Agents") return space.agents.reduce((sum, agent) => sum + choicesOf(agent.space), 0);
  return space.kind === "Box" ? 0 : flatSize(space);
}

/** One agent's share of a mask. */
export interface AgentChoices {
  readonly id: string;
  readonly space: SingleAgentSpace;
  /** Index of its first choice in the mask of all agents, and how many choices it has. */
  readonly start: number;
  readonly size: number;
}

/** The agents with masked choices, in order; agents with Box actions are left out. */
export function agentChoices({ agents }: Agents): AgentChoices[] {
  let start = 0;
  return agents.flatMap(({ id, space }) => {
    const size = choicesOf(space);
    const share = { id, space, start, size };
    start += size;
    return size === 0 ? [] : [share];
  });
}
