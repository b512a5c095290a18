/** Door: what an algorithm defines, and what it gets. */
export * from "./contract/choices.ts";
export * from "./contract/definition.ts";
export * from "./contract/evolutionStrategy.ts";
export { withFamilies } from "./contract/families.ts";
export * from "./contract/inputs.ts";
export { type Latents, Network, type Networks } from "./contract/network.ts";
export * from "./contract/offPolicy.ts";
export * from "./contract/onPolicy.ts";
export { groupOf, keysOf, memberOf, requireAgents, type TeamKey, teamOf } from "./contract/team.ts";
export { MultiAgentAlgorithmSpec, SingleAgentAlgorithmSpec } from "./sections/agentSpecs.ts";
