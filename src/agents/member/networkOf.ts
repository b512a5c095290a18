import { type AlgoSpec, algorithmDefinition } from "../../manifests/index.ts";
import type { Hyperparameters, NetworkContext } from "../../rl/contract.ts";
import {
  isNetworkMap,
  jointSection,
  type NetworkMap,
  type NetworkSection,
  type NetworkSpec,
  type ResolvedNetwork,
  resolveNetwork,
} from "../../rl/networks.ts";
import { type AgentSpaces, observationKind, type Space } from "../../rl/spaces.ts";
import type { NetworkMutationRanges } from "../../specs/sections.ts";
import { atKey, keyedSections } from "./keyedNetworks.ts";

/**
 * A manifest's network section: one for all networks, or a map of sections by agent. `null` means the
 * defaults.
 */
export type GivenNetwork = NetworkSection | NetworkSpec | NetworkMap | null;

/** Sources of a network's settings, in addition to its algorithm's. */
export interface NetworkSources {
  readonly network: GivenNetwork;
  /** `mutation.network` (default: none). */
  readonly ranges?: NetworkMutationRanges | null;
}

/**
 * The resolved network of an algorithm's agents for an observation space.
 * @throws SpecError when the section does not fit the observations or the algorithm.
 */
const networkOf = (
  spec: AlgoSpec,
  observation_space: Space,
  network: NetworkSection | NetworkSpec | null,
  ranges: NetworkMutationRanges | null,
): ResolvedNetwork => {
  const observation = observationKind(observation_space);
  const isJoint = observation_space.kind === "Agents" && observation === "mixed";
  return resolveNetwork(isJoint && network ? jointSection(network) : network, {
    criticHead: algorithmDefinition(spec.name).critic_head,
    ranges,
    observation,
    recurrent: "recurrent" in spec && spec.recurrent,
  });
};

/**
 * The context that an algorithm builds its networks from.
 * @throws SpecError when the keys of a network map do not match the agents. Reading the context's networks
 *   throws a SpecError when a section does not fit the observations or the algorithm.
 */
export function networkContext(
  spec: AlgoSpec,
  { observation_space, action_space }: AgentSpaces,
  { network, ranges = null }: NetworkSources,
  hyperparameters: Hyperparameters,
): NetworkContext {
  const keyed = isNetworkMap(network) ? keyedSections(network, observation_space) : null;
  const only = isNetworkMap(network) ? null : network;
  return {
    observation_space,
    action_space,
    hyperparameters,
    get network() {
      return networkOf(spec, observation_space, only, ranges);
    },
    networkFor: (key, observed) => {
      const own = keyed?.get(key);
      return own
        ? atKey(own.key, () => networkOf(spec, observed, own.section, ranges))
        : networkOf(spec, observed, only, ranges);
    },
  };
}
