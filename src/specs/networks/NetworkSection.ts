import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { option, tagged, type UnionTag } from "../taggedUnion.ts";
import { DeferredNetworkSpec } from "./DeferredNetworkSpec.ts";
import { StochasticActorSpec } from "./NetworkSpec.ts";

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

const madeNetworkSection = z.preprocess((raw: z.input<typeof sections>, context): unknown => {
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
type NetworkSectionMade = typeof madeNetworkSection;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface NetworkSectionSchema extends NetworkSectionMade {}

/** A manifest's network section: complete if it declares an architecture, deferred otherwise. */
export const NetworkSection: NetworkSectionSchema = madeNetworkSection;
export type NetworkSection = z.output<typeof NetworkSection>;
export type NetworkSectionInput = z.input<typeof NetworkSection>;

/** True for a complete network section. */
export function isDeclared(network: NetworkSection): network is StochasticActorSpec {
  return declaresArchitecture(network);
}
