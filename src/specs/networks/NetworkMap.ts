import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { DeferredNetworkSpec } from "./DeferredNetworkSpec.ts";
import { FinetuningNetworkSpec } from "./FinetuningNetworkSpec.ts";
import { NetworkSection } from "./NetworkSection.ts";
import { StochasticActorSpec } from "./NetworkSpec.ts";

const madeNetworkMap = z.record(z.string(), NetworkSection);
type NetworkMapMade = typeof madeNetworkMap;
/** Named, so that types of what holds it say its name and not all its fields. */
export interface NetworkMapSchema extends NetworkMapMade {}

/** A network section for each of several agents or groups of them, by id; agents that it leaves out have the defaults. */
export const NetworkMap: NetworkMapSchema = madeNetworkMap;
export type NetworkMap = z.output<typeof NetworkMap>;

/** Keys of one section, which no map can have. */
const isSectionKey = (key: string): boolean =>
  key === "arch" ||
  [DeferredNetworkSpec, StochasticActorSpec, FinetuningNetworkSpec].some(({ shape }) =>
    Object.hasOwn(shape, key),
  );

/** True for a section by agents: mappings under other keys than a section's own, of which one at least has such keys. */
export const isNetworkMap = (network: unknown): network is NetworkMap =>
  isMapping(network) &&
  !Object.keys(network).some(isSectionKey) &&
  Object.values(network).every(isMapping) &&
  Object.values(network).some((section) => isMapping(section) && Object.keys(section).some(isSectionKey));

/** The sections of a network section, each with the key that it stands under; null for the only one. */
export const sectionsOf = (
  network: NetworkSection | NetworkMap,
): readonly [string | null, NetworkSection][] =>
  isNetworkMap(network) ? Object.entries(network) : [[null, network]];
