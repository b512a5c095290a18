import { findAlgorithm } from "../algorithms/registry.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { withFamilies } from "../contract/families.ts";
import type { AgentState } from "./agentState.ts";

/**
 * An agent's algorithm, with its tables expanded to the agent's networks.
 * @throws SpecError like findAlgorithm.
 */
export const algorithmOf = ({ algorithm, networks }: Pick<AgentState, "algorithm" | "networks">): Algorithm =>
  withFamilies(findAlgorithm(algorithm), Object.keys(networks));
