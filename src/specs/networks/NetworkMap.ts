import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { DeferredNetworkSpec } from "./DeferredNetworkSpec.ts";
import { FinetuningNetworkSpec } from "./FinetuningNetworkSpec.ts";
import { NetworkSection } from "./NetworkSection.ts";
import { StochasticActorSpec } from "./NetworkSpec.ts";

const madeNetworkMap = z.record(z.string(), NetworkSection);
type NetworkMapMade = typeof madeNetworkMap;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface NetworkMapSchema extends NetworkMapMade {}

/** A network section for each of several agents or groups, by id; agents not listed use the defaults. */
export const NetworkMap: NetworkMapSchema = madeNetworkMap;
export type NetworkMap = z.output<typeof NetworkMap>;

/** Keys of a single section, which a map cannot have. */
const isSectionKey = (key: string): boolean =>
  key === "arch" ||
  [DeferredNetworkSpec, StochasticActorSpec, FinetuningNetworkSpec].some(({ shape }) =>
    Object.hasOwn(shape, key),
  );

/** True for a map of sections: no key is a section's own, and at least one of its mappings has such keys. */
export const isNetworkMap = (network: unknown): network is NetworkMap =>
  isMapping(network) &&
  !Object.keys(network).some(isSectionKey) &&
  Object.values(network).every(isMapping) &&
  Object.values(network).some((section) => isMapping(section) && Object.keys(section).some(isSectionKey));

/** The sections of a network section, each with its key; null for a single section. */
export const sectionsOf = (
  network: NetworkSection | NetworkMap,
): readonly [string | null, NetworkSection][] =>
  isNetworkMap(network) ? Object.entries(network) : [[null, network]];
