import { z } from "zod";
import { option, tagged, type UnionTag } from "../../specs/checks.ts";
import { FinetuningNetworkSpec, isPretrained } from "../../specs/networks.ts";
import { isNetworkMap, NetworkMap, NetworkSection, type NetworkSectionInput } from "./NetworkSection.ts";

const TAG: UnionTag = {
  what: "network section",
  key: "pretrained_model_name_or_path",
  tags: ["agent", "language_model", "agents"],
  tagOf: (input) => (isPretrained(input) ? "language_model" : isNetworkMap(input) ? "agents" : "agent"),
};

const madeManifestNetwork = tagged(
  z.union([
    option(TAG, "agent", NetworkSection),
    option(TAG, "language_model", FinetuningNetworkSpec),
    option(TAG, "agents", NetworkMap),
  ]),
  TAG,
);
type Written = NetworkSectionInput | z.input<typeof NetworkMap>;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface ManifestNetworkSchema
  extends z.ZodType<
    NetworkSection | FinetuningNetworkSpec | NetworkMap,
    Written | z.input<typeof FinetuningNetworkSpec>
  > {}

/** A manifest's network section: encoder and head, those of each of several agents, or a language model. */
export const ManifestNetwork: ManifestNetworkSchema = madeManifestNetwork;
export type ManifestNetwork = z.output<typeof ManifestNetwork>;

const AGENTS_TAG: UnionTag = {
  what: "network section",
  key: "encoder_config",
  tags: ["agent", "agents"],
  tagOf: (input) => (isNetworkMap(input) ? "agents" : "agent"),
};

const madeAgentNetwork = tagged(
  z.union([option(AGENTS_TAG, "agent", NetworkSection), option(AGENTS_TAG, "agents", NetworkMap)]),
  AGENTS_TAG,
);
/** Named, so that enclosing types show this name instead of all its fields. */
export interface AgentNetworkSchema extends z.ZodType<NetworkSection | NetworkMap, Written> {}

/** The network in a multi-agent algorithm's own spec: one for all agents, or one for each. */
export const AgentNetwork: AgentNetworkSchema = madeAgentNetwork;
