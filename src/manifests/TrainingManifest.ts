import { z } from "zod";
import { SelectionStrategySpec } from "../evolution/selections.ts";
import type { NetworkMap, NetworkSection } from "../rl/networks.ts";
import { ManifestNetwork } from "../rl/networks.ts";
import type { AlgorithmDefinition } from "../specs/algorithms.ts";
import { field, withAliases } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { isPretrained } from "../specs/networks.ts";
import { EnvSpecType, MutationSpec, ReplayBufferType, TrainingSpec } from "../specs/sections.ts";
import { AlgoSpec, ownNetwork } from "./AlgoSpec.ts";
import { registeredAlgorithm } from "./names.ts";
import { prepareManifest } from "./prepareManifest.ts";
import { resolveManifest } from "./resolveManifest.ts";

/** The version that exported manifests carry, shared with AgileRL. */
export const MANIFEST_VERSION = "agilerl.com/v1";
/** The versions that are accepted. */
const ACCEPTED_VERSIONS = [MANIFEST_VERSION, "rlkit/v1"] as const;

/** The manifest's sections before cross-checks; the source of the JSON Schema. */
export const ManifestFields = z.strictObject({
  apiVersion: field(z.enum(ACCEPTED_VERSIONS).default(MANIFEST_VERSION), "Version of the manifest's format."),
  algorithm: field(AlgoSpec, "What the agents learn with."),
  environment: field(EnvSpecType, "What the agents learn in."),
  training: field(TrainingSpec.prefault({}), "Length and schedule of training."),
  network: field(
    ManifestNetwork.nullable().default(null),
    "The agents' networks. Without arch, open settings follow from the environment.",
  ),
  mutation: field(
    MutationSpec.nullable().default(null),
    "How agents change between generations. If absent, there is no mutation, unless training.hpo is on.",
  ),
  replay_buffer: field(
    ReplayBufferType.nullable().default(null),
    "The experience store of off-policy algorithms. If absent, they get one of 100,000 transitions.",
  ),
  selection_strategy: field(
    SelectionStrategySpec.nullable().default(null),
    "How the next generation is chosen. If absent, there is no selection, unless training.hpo is on.",
  ),
});

type Fields = typeof ManifestFields;
/** A validated manifest with defaults filled in. */
export interface TrainingManifest extends z.output<Fields> {}
/** A manifest as written; fields with a default may be omitted. */
export type TrainingManifestInput = z.input<Fields>;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface TrainingManifestSchema extends z.ZodType<TrainingManifest, TrainingManifestInput> {}

const manifestOf = (fields: Fields): TrainingManifestSchema =>
  withAliases(
    fields,
    { api_version: "apiVersion", tournament_selection: "selection_strategy" },
    prepareManifest,
  ).transform(resolveManifest);

/**
 * The schema of a whole run: sections, their defaults and the checks between them. Parse with
 * `parseManifest`, whose errors give the place and similar known names.
 *
 * @example
 * ```ts
 * const manifest: TrainingManifest = parseManifest({
 *   algorithm: { name: "DQN" },
 *   environment: { name: "CartPole-v1" },
 * });
 * ```
 */
export const TrainingManifest: TrainingManifestSchema = manifestOf(ManifestFields);

const ofRegistered = new WeakMap<AlgorithmDefinition, TrainingManifestSchema>();

/** The schema of an algorithm's manifests; for a registered algorithm, with that algorithm's fields. */
export function manifestSchema(algorithm: unknown): TrainingManifestSchema {
  const definition = registeredAlgorithm(isMapping(algorithm) ? algorithm.name : algorithm);
  if (!definition) return TrainingManifest;
  const known = ofRegistered.get(definition);
  if (known) return known;
  // The types know only the `name` of registered algorithms.
  const fields = ManifestFields.extend({ algorithm: definition.schema }) as unknown as Fields;
  const made = manifestOf(fields);
  ofRegistered.set(definition, made);
  return made;
}

/** The part of a manifest that defines the agents' encoders and heads; null for the defaults. */
export function agentNetwork({ network, algorithm }: TrainingManifest): NetworkSection | NetworkMap | null {
  return network === null || isPretrained(network) ? ownNetwork(algorithm) : network;
}
