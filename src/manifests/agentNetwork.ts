import { isPretrained, type NetworkMap, type NetworkSection } from "../specs/networks.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** The network in an algorithm's own spec, when used without a manifest; null if there is none. */
export const ownNetwork = (spec: AlgoSpec): NetworkSection | NetworkMap | null =>
  "net_config" in spec ? spec.net_config : null;

/** The part of a manifest that defines the agents' encoders and heads; null for the defaults. */
export function agentNetwork({ network, algorithm }: TrainingManifest): NetworkSection | NetworkMap | null {
  return network === null || isPretrained(network) ? ownNetwork(algorithm) : network;
}
