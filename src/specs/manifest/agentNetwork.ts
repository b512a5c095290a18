import { ownNetwork } from "../algorithms/ownNetwork.ts";
import { isPretrained } from "../networks/ManifestNetwork.ts";
import type { NetworkSection } from "../networks/NetworkSection.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** The section of a manifest that an agent's encoder and head come from; null for the defaults. */
export function agentNetwork({ network, algorithm }: TrainingManifest): NetworkSection | null {
  return network === null || isPretrained(network) ? ownNetwork(algorithm) : network;
}
