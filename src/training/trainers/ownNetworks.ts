/** The caller's own networks for a trainer: those of a single agent, or by key for several agents. */

import {
  type GivenNetwork,
  type GivenTeamModules,
  givenNetworks,
  givenTeamNetworks,
} from "../../agents/members.ts";
import { type AlgorithmDefinition, type AlgoSpec, algorithmDefinition } from "../../manifests/index.ts";
import { EvolvableModule, type NetworkState } from "../../rl/networks.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import type { TrainerOptions } from "./Trainer.ts";

/** Names of the options for networks. */
export const NETWORK_OPTIONS = [
  "actor_network",
  "critic_network",
  "actor_networks",
  "critic_networks",
] as const;

/** Whether the value is a list of all critics of a single agent. */
const isModuleList = (value: unknown): value is readonly EvolvableModule[] =>
  Array.isArray(value) && value.every((module) => module instanceof EvolvableModule);

/** The given modules by key. */
const teamModules = ({ actor_networks, critic_networks }: TrainerOptions): GivenTeamModules => ({
  actor_networks: actor_networks ?? null,
  critic_networks: critic_networks && !isModuleList(critic_networks) ? critic_networks : null,
});

/** @throws TypeError for networks by agent with a single-agent algorithm, and vice versa. */
function refuseOtherNetworks(options: TrainerOptions, { name, multi_agent }: AlgorithmDefinition): void {
  const { actor_network, critic_network, critic_networks } = options;
  const { actor_networks, critic_networks: critics } = teamModules(options);
  const alone = { actor_network, critic_network, critic_networks: isModuleList(critic_networks) || null };
  const [found] = Object.entries(multi_agent ? alone : { actor_networks, critic_networks: critics }).find(
    ([, given]) => given,
  ) ?? [null];
  if (found === null) return;
  throw new TypeError(
    multi_agent
      ? `${found}: found a network of one agent, and ${name} trains several; give actor_networks and critic_networks by key`
      : `${found}: found networks by agent, and ${name} trains one; give actor_network, and critic_network or a list of critic_networks`,
  );
}

/**
 * The given networks, by their names in an agent; empty if none are given.
 * @throws TypeError for networks by agent with a single-agent algorithm, and vice versa; RangeError for a
 *   network that does not fit.
 */
export function ownNetworks(
  options: TrainerOptions,
  spec: AlgoSpec,
  spaces: AgentSpaces,
  section: GivenNetwork,
): Record<string, NetworkState> {
  const definition = algorithmDefinition(spec.name);
  refuseOtherNetworks(options, definition);
  if (definition.multi_agent) return givenTeamNetworks(spec, spaces, teamModules(options), section);
  const { actor_network, critic_network, critic_networks } = options;
  const modules = {
    ...(actor_network && { actor_network }),
    ...(critic_network && { critic_network }),
    ...(isModuleList(critic_networks) && { critic_networks }),
  };
  return givenNetworks(spec, spaces, modules, section);
}
