import type { NetworkSection } from "../networks/NetworkSection.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";

/**
 * The network that an algorithm's spec holds itself, when it is used without a manifest; null where there is
 * none, or one for each agent of several.
 */
export function ownNetwork(spec: AlgoSpec): NetworkSection | null {
  const net_config = "net_config" in spec ? spec.net_config : null;
  return net_config !== null && isSection(net_config) ? net_config : null;
}

/** Every network section has the key once it is parsed; a mapping from agents to sections has not. */
const isSection = (network: NetworkSection | Record<string, unknown>): network is NetworkSection =>
  Object.hasOwn(network, "head_config");
