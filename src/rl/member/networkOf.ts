import {
  type AlgoSpec,
  algorithmDefinition,
  isNetworkMap,
  jointSection,
  type NetworkMap,
  type NetworkMutationRanges,
  type NetworkSection,
  type NetworkSpec,
  type ResolvedNetwork,
  resolveNetwork,
} from "../../specs/index.ts";
import type { NetworkContext } from "../contract/definition.ts";
import type { Hyperparameters } from "../contract/hyperparameters.ts";
import { type AgentSpaces, observationKind, type Space } from "../spaces/index.ts";
import { atKey, keyedSections } from "./keyedNetworks.ts";

/** A manifest's network section, one for all networks or a map of them by agents; the defaults where it is null. */
export type GivenNetwork = NetworkSection | NetworkSpec | NetworkMap | null;

/** Where a network's settings stand beside its algorithm's. */
export interface NetworkSources {
  readonly network: GivenNetwork;
  /** `mutation.network`; none unless given. */
  readonly ranges?: NetworkMutationRanges | null;
}

/**
 * The whole network of an algorithm's agents for a space of observations.
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
 * What an algorithm builds its networks from.
 * @throws SpecError for a map of networks that are not those of the agents. Reading its networks throws one where a
 *   section does not fit the observations or the algorithm.
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
