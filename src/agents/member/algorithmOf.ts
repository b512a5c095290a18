import { type Algorithm, withFamilies } from "../../rl/contract.ts";
import type { AgentState } from "./agentState.ts";
import { findAlgorithm } from "./registry.ts";

/**
 * An agent's algorithm, with its tables expanded to the agent's networks.
 * @throws SpecError like findAlgorithm.
 */
export const algorithmOf = ({ algorithm, networks }: Pick<AgentState, "algorithm" | "networks">): Algorithm =>
  withFamilies(findAlgorithm(algorithm), Object.keys(networks));
