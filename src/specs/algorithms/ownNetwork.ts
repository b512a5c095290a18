import type { NetworkMap } from "../networks/NetworkMap.ts";
import type { NetworkSection } from "../networks/NetworkSection.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";

/** The network in an algorithm's own spec, when used without a manifest; null if there is none. */
export const ownNetwork = (spec: AlgoSpec): NetworkSection | NetworkMap | null =>
  "net_config" in spec ? spec.net_config : null;
