import type { Space } from "./Space.ts";

/** What an agent, or several agents together, see and do. */
export interface AgentSpaces {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Whether memories of several agents keep which choices were legal; false unless given. */
  readonly masked?: boolean;
}
