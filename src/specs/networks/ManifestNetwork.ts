import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { option, tagged, type UnionTag } from "../taggedUnion.ts";
import { FinetuningNetworkSpec } from "./FinetuningNetworkSpec.ts";
import { NetworkSection } from "./NetworkSection.ts";

const TAG: UnionTag = {
  what: "network section",
  key: "pretrained_model_name_or_path",
  tags: ["agent", "language_model"],
  tagOf: (input) => (isPretrained(input) ? "language_model" : "agent"),
};

const madeManifestNetwork = tagged(
  z.union([option(TAG, "agent", NetworkSection), option(TAG, "language_model", FinetuningNetworkSpec)]),
  TAG,
);
type ManifestNetworkMade = typeof madeManifestNetwork;
/** Named, so that types of what holds it say its name and not all its fields. */
export interface ManifestNetworkSchema extends ManifestNetworkMade {}

/** A manifest's network section: encoder and head, or a language model where it names one. */
export const ManifestNetwork: ManifestNetworkSchema = madeManifestNetwork;
export type ManifestNetwork = z.output<typeof ManifestNetwork>;

/** True for a section that names a pretrained model. */
export const isPretrained = (network: unknown): network is FinetuningNetworkSpec =>
  isMapping(network) && Object.hasOwn(network, "pretrained_model_name_or_path");
