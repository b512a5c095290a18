import type { Space } from "./Space.ts";

/** What an agent, or several agents together, see and do. */
export interface AgentSpaces {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Whether memories of several agents keep which choices were legal; false unless given. */
  readonly masked?: boolean;
}

/** The layout of agents whose environments the host steps: those may say which choices are legal. */
export const hostLayout = ({ observation_space, action_space }: AgentSpaces): AgentSpaces => ({
  observation_space,
  action_space,
  ...(observation_space.kind === "Agents" && { masked: true }),
});
