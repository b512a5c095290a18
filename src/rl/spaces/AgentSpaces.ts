import type { Space } from "./Space.ts";

/** The observation space and action space of one agent, or of several agents together. */
export interface AgentSpaces {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Whether multi-agent replay buffers store action masks (default: false). */
  readonly masked?: boolean;
}

/**
 * The spaces of agents whose environments run on the host. Multi-agent host environments may mask actions.
 */
export const hostLayout = ({ observation_space, action_space }: AgentSpaces): AgentSpaces => ({
  observation_space,
  action_space,
  ...(observation_space.kind === "Agents" && { masked: true }),
});
