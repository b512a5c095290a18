import type { Space } from "./Space.ts";

/** What an agent sees and does. */
export interface AgentSpaces {
  readonly observation_space: Space;
  readonly action_space: Space;
}
