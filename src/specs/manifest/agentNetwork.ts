import { ownNetwork } from "../algorithms/ownNetwork.ts";
import { isPretrained } from "../networks/ManifestNetwork.ts";
import type { NetworkMap } from "../networks/NetworkMap.ts";
import type { NetworkSection } from "../networks/NetworkSection.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** The part of a manifest that defines the agents' encoders and heads; null for the defaults. */
export function agentNetwork({ network, algorithm }: TrainingManifest): NetworkSection | NetworkMap | null {
  return network === null || isPretrained(network) ? ownNetwork(algorithm) : network;
}
