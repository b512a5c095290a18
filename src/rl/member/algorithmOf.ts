import { findAlgorithm } from "../algorithms/registry.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { withFamilies } from "../contract/families.ts";
import type { AgentState } from "./agentState.ts";

/** An agent's algorithm, its tables over the networks that the agent has. @throws SpecError as findAlgorithm. */
export const algorithmOf = ({ algorithm, networks }: Pick<AgentState, "algorithm" | "networks">): Algorithm =>
  withFamilies(findAlgorithm(algorithm), Object.keys(networks));
