import type { NetworkMap } from "../networks/NetworkMap.ts";
import type { NetworkSection } from "../networks/NetworkSection.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";

/** The network that an algorithm's spec holds itself, when it is used without a manifest; null where there is none. */
export const ownNetwork = (spec: AlgoSpec): NetworkSection | NetworkMap | null =>
  "net_config" in spec ? spec.net_config : null;
