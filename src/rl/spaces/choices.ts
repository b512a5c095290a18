/** How many choices the elements of a space are, and whose they are. */
import type { Agents } from "./Agents.ts";
import { flatSize, type SingleAgentSpace, type Space } from "./Space.ts";

/**
 * Numbers of a mask: the choices of a Discrete space, those of all choices of a MultiDiscrete space side by side, the
 * bits of a MultiBinary space (0: may not be 1), those of all agents one after another; 0 where actions are no choice.
 */
export function choicesOf(space: Space): number {
  if (space.kind === "Agents") return space.agents.reduce((sum, agent) => sum + choicesOf(agent.space), 0);
  return space.kind === "Box" ? 0 : flatSize(space);
}

/** One agent's share of a mask. */
export interface AgentChoices {
  readonly id: string;
  readonly space: SingleAgentSpace;
  /** Where its choices start in the mask of all agents, and how many there are. */
  readonly start: number;
  readonly size: number;
}

/** The agents that choose, in order; those whose actions are no choice have no share of the mask. */
export function agentChoices({ agents }: Agents): AgentChoices[] {
  let start = 0;
  return agents.flatMap(({ id, space }) => {
    const size = choicesOf(space);
    const share = { id, space, start, size };
    start += size;
    return size === 0 ? [] : [share];
  });
}
