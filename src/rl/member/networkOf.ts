import {
  type AlgoSpec,
  algorithmDefinition,
  type NetworkMutationRanges,
  type NetworkSection,
  type NetworkSpec,
  type ResolvedNetwork,
  resolveNetwork,
} from "../../specs/index.ts";
import type { NetworkContext } from "../contract/definition.ts";
import type { Hyperparameters } from "../contract/hyperparameters.ts";
import { type AgentSpaces, observationKind, type Space } from "../spaces/index.ts";

/** Where a network's settings stand beside its algorithm's. */
export interface NetworkSources {
  /** The manifest's network section; the defaults where it is null. */
  readonly network: NetworkSection | NetworkSpec | null;
  /** `mutation.network`; none unless given. */
  readonly ranges?: NetworkMutationRanges | null;
}

/**
 * The whole network of an algorithm's agents for a space of observations.
 * @throws SpecError when the section does not fit the observations or the algorithm.
 */
export const networkOf = (
  spec: AlgoSpec,
  observation_space: Space,
  { network, ranges = null }: NetworkSources,
): ResolvedNetwork =>
  resolveNetwork(network, {
    criticHead: algorithmDefinition(spec.name).critic_head,
    ranges,
    observation: observationKind(observation_space),
    recurrent: "recurrent" in spec && spec.recurrent,
  });

/**
 * What an algorithm builds its networks from.
 * @throws As `networkOf`.
 */
export const networkContext = (
  spec: AlgoSpec,
  { observation_space, action_space }: AgentSpaces,
  sources: NetworkSources,
  hyperparameters: Hyperparameters,
): NetworkContext => ({
  observation_space,
  action_space,
  hyperparameters,
  network: networkOf(spec, observation_space, sources),
  networkFor: (_key, observed) => networkOf(spec, observed, sources),
});
