import { z } from "zod";
import { option, tagged, type UnionTag } from "../../specs/checks.ts";
import { isMapping } from "../../specs/messages.ts";
import { FinetuningNetworkSpec } from "../../specs/networks.ts";
import {
  DeferredNetworkSpec,
  type DeferredNetworkSpecInput,
  StochasticActorSpec,
  type StochasticActorSpecInput,
} from "./NetworkSpec.ts";

/** True when a network section declares its encoder's architecture. */
export function declaresArchitecture(raw: unknown): boolean {
  return isMapping(raw) && isMapping(raw.encoder_config) && raw.encoder_config.arch !== undefined;
}

const TAG: UnionTag = {
  what: "network section",
  key: "encoder_config",
  tags: ["deferred", "declared"],
  tagOf: (input) => (declaresArchitecture(input) ? "declared" : "deferred"),
};

const sections = tagged(
  z.union([option(TAG, "deferred", DeferredNetworkSpec), option(TAG, "declared", StochasticActorSpec)]),
  TAG,
);

function withoutNulls(raw: unknown): unknown {
  if (!isMapping(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

/** Moves `arch` from the section's root into the encoder, and drops empty settings of a deferred section. */
function prepare(raw: unknown): unknown {
  if (!isMapping(raw)) return raw;
  const { arch, ...network } = raw;
  if (arch !== undefined && (network.encoder_config === undefined || isMapping(network.encoder_config))) {
    network.encoder_config = { arch, ...network.encoder_config };
  }
  if (declaresArchitecture(network)) return network;
  // In a section whose unset settings follow from the environment, "empty" and "unset" are the same.
  const filled: Record<string, unknown> = { ...network };
  for (const key of ["encoder_config", "head_config"]) {
    if (isMapping(filled[key])) filled[key] = withoutNulls(filled[key]);
  }
  return filled;
}

/** What a section may have besides its own fields. */
interface RootArch {
  /** Another name of `encoder_config.arch`. */
  readonly arch?: string | undefined;
}

type WithRootArch = (DeferredNetworkSpecInput | StochasticActorSpecInput) & RootArch;

const madeNetworkSection = z.preprocess((raw: WithRootArch, context): unknown => {
  if (isMapping(raw) && Object.hasOwn(raw, "pretrained_model_name_or_path")) {
    context.addIssue({
      code: "custom",
      path: ["pretrained_model_name_or_path"],
      message:
        "belongs to the network section of language-model algorithms; other agents' networks have an encoder and a head",
    });
  }
  return prepare(raw);
}, sections);
/** Named, so that enclosing types show this name instead of all its fields. */
export interface NetworkSectionSchema
  extends z.ZodType<DeferredNetworkSpec | StochasticActorSpec, WithRootArch> {}

/** A manifest's network section: complete if it declares an architecture, deferred otherwise. */
export const NetworkSection: NetworkSectionSchema = madeNetworkSection;
export type NetworkSection = z.output<typeof NetworkSection>;
export type NetworkSectionInput = z.input<typeof NetworkSection>;

/** True for a complete network section. */
export function isDeclared(network: NetworkSection): network is StochasticActorSpec {
  return declaresArchitecture(network);
}

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
