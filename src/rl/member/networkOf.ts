import {
  type AlgoSpec,
  algorithmDefinition,
  type NetworkMutationRanges,
  type NetworkSection,
  type NetworkSpec,
  type ResolvedNetwork,
  resolveNetwork,
} from "../../specs/index.ts";
import { observationKind, type Space } from "../spaces/index.ts";

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
