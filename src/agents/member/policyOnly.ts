import type { AgentState } from "./agentState.ts";
import { algorithmOf } from "./registry.ts";

/** The agent reduced to its policy, which can act but not learn. */
export function policyOnly(agent: AgentState): AgentState {
  const { parameters: _own, ...others } = agent;
  const { policies } = algorithmOf(agent);
  const networks = Object.entries(agent.networks).filter(([name]) => policies.includes(name));
  return { ...others, networks: Object.fromEntries(networks), optimizers: {} };
}
