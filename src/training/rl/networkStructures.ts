import { networkStructure } from "../../rl/definitions.ts";
import { type AgentState, algorithmOf } from "../../rl/members.ts";
import type { NetworkStructure } from "../../specs/networks.ts";

/** An agent's networks, policies first, without target networks. */
export function networkStructures(agent: AgentState): readonly NetworkStructure[] {
  const { policies, targets } = algorithmOf(agent);
  const names = Object.keys(agent.networks).filter((name) => !Object.hasOwn(targets, name));
  const ordered = [
    ...names.filter((name) => policies.includes(name)),
    ...names.filter((name) => !policies.includes(name)),
  ];
  return ordered.flatMap((name) => {
    const network = agent.networks[name];
    return network ? [networkStructure(name, network.data)] : [];
  });
}
