/** Manifests as plain objects and JSON, and what other programs do not know in them. */

import type { z } from "zod";
import { evolvesAlone } from "../evolution/selections.ts";
import { findArchitecture, isDeclared, isNetworkMap, sectionsOf } from "../rl/networks.ts";
import { dottedPath, RLKIT_ONLY_KEY } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { FinetuningNetworkSpec, isPretrained } from "../specs/networks.ts";
import { GymEnvSpec, MutationSpec, RLHyperparameter, TrainingSpec } from "../specs/sections.ts";
import type { ManifestWarning } from "./manifestWarnings.ts";
import { algorithmDefinition } from "./registry.ts";
import { MANIFEST_VERSION, type TrainingManifest } from "./TrainingManifest.ts";

/** A field that AgileRL does not know, or with a value that it does not know. */
interface OwnField {
  readonly name: string;
  /** The warning about its value; null for its default, which is AgileRL's behaviour without the field. */
  readonly warning: string | null;
}

const OWN = "is known to rlkit only";

/** The fields of a section that AgileRL does not know, or not with their values. */
function ownFields({ shape }: z.ZodObject, section: object): OwnField[] {
  const given: Readonly<Record<string, unknown>> = { ...section };
  return Object.entries(shape).flatMap(([name, field]: [string, z.ZodType]): OwnField[] => {
    const own = field.meta()?.[RLKIT_ONLY_KEY];
    const value = given[name];
    if (Array.isArray(own))
      return own.includes(value) ? [{ name, warning: `${JSON.stringify(value)} ${OWN}` }] : [];
    if (own !== true) return [];
    const isDefault = JSON.stringify(field.parse(undefined)) === JSON.stringify(value);
    return [{ name, warning: isDefault ? null : OWN }];
  });
}

/** The same for a manifest's sections, by their paths. */
const ownFieldsOf = ({
  algorithm,
  environment,
  network,
  training,
  mutation,
}: TrainingManifest): [path: string[], OwnField[]][] => [
  ...(environment.env_type === "gym" || environment.env_type === "offline"
    ? [[["environment"], ownFields(GymEnvSpec.out, environment)] as [string[], OwnField[]]]
    : []),
  [["algorithm"], ownFields(algorithmDefinition(algorithm.name).schema, algorithm)],
  ...(isPretrained(network)
    ? [[["network"], ownFields(FinetuningNetworkSpec, network)] as [string[], OwnField[]]]
    : []),
  [["training"], ownFields(TrainingSpec.out, training)],
  ...(mutation ? [[["mutation"], ownFields(MutationSpec, mutation)] as [string[], OwnField[]]] : []),
  ...Object.entries(mutation?.rl_hp_selection ?? {}).map(([name, range]): [string[], OwnField[]] => [
    ["mutation", "rl_hp_selection", name],
    ownFields(RLHyperparameter.out, range),
  ]),
];

type Mapping = Record<string, unknown>;

/** AgileRL's names for keys that have other names here. */
const RELATIVE_NAMES: Readonly<Record<string, string>> = {
  selection_strategy: "tournament_selection",
  hub_dataset_id: "minari_dataset_id",
};

/** Settings that are written only if they differ from these defaults. */
const QUIET_DEFAULTS: Readonly<Record<string, unknown>> = {
  rollout_mode: "colocated",
  rollout_engines_per_agent: 0,
  rollout_version_stamp: "oldest_turn",
  training_gpus_per_agent: 1,
  dormant_threshold: 0.01,
  // The relative's default is true, so a written false would say what the original did not.
  hpo: false,
  squash_output: false,
};

/** Settings with arbitrary user contents, which are copied unchanged. */
const FREE_FORM: readonly string[] = [
  "env_config",
  "env_wrappers",
  "rollout_buffer_config",
  "encoder",
  "head_net",
];

/** Copies `value` with renamed keys, without nulls and quiet defaults. */
function exported(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exported);
  if (!isMapping(value)) return value;
  const copy: Mapping = {};
  for (const [key, entry] of Object.entries(value)) {
    if (entry === null || entry === undefined || QUIET_DEFAULTS[key] === entry) continue;
    copy[RELATIVE_NAMES[key] ?? key] = FREE_FORM.includes(key) ? entry : exported(entry);
  }
  return copy;
}

function exportedNetwork(network: Mapping): Mapping {
  if (isNetworkMap(network))
    return Object.fromEntries(Object.entries(network).map(([key, own]) => [key, exportedNetwork(own)]));
  const { head_config } = network;
  if (!isMapping(head_config)) return network;
  const { arch: _, ...head } = head_config;
  return { ...network, head_config: head };
}

/**
 * A manifest as a plain object with AgileRL's keys; parsing it returns the same manifest.
 * Defaults are written too, so that a reader with other defaults gets the same values. Defaults of fields
 * that only rlkit has are omitted, and those in {@link QUIET_DEFAULTS}.
 */
export function manifestToObject(manifest: TrainingManifest): Mapping {
  const algorithm: Mapping = { ...manifest.algorithm };
  delete algorithm.net_config;
  // The environment section has this value; a second copy could only contradict it.
  const shared = algorithmDefinition(manifest.algorithm.name).num_envs_field;
  if (shared !== null) delete algorithm[shared];
  const { environment, network, training, mutation } = structuredClone(manifest);
  const sections: Mapping = { algorithm, environment, network, training, mutation };
  for (const [path, own] of ownFieldsOf(manifest)) {
    const section = path.reduce<unknown>((node, key) => (isMapping(node) ? node[key] : node), sections);
    for (const { name, warning } of own) if (warning === null && isMapping(section)) delete section[name];
  }
  const plain = exported({
    ...manifest,
    apiVersion: MANIFEST_VERSION,
    ...sections,
    network: network === null ? null : exportedNetwork(network),
  });
  return isMapping(plain) ? plain : {};
}

/** A manifest as JSON text, indented by two spaces; see {@link manifestToObject}. */
export function manifestToJson(manifest: TrainingManifest): string {
  return `${JSON.stringify(manifestToObject(manifest), null, 2)}\n`;
}

/**
 * Warns about values in an exported manifest that AgileRL does not understand.
 *
 * @param ownEnvironments Names of environments that only this library has.
 */
export function exportWarnings(
  manifest: TrainingManifest,
  ownEnvironments: readonly string[],
): ManifestWarning[] {
  const { algorithm, network, environment } = manifest;
  const warnings: ManifestWarning[] = [];
  if (algorithmDefinition(algorithm.name).rlkit_only)
    warnings.push({ path: "algorithm.name", message: `"${algorithm.name}" ${OWN}` });
  for (const [path, own] of ownFieldsOf(manifest)) {
    for (const { name, warning } of own)
      if (warning !== null) warnings.push({ path: dottedPath([...path, name]), message: warning });
  }
  const { selection_strategy: selection } = manifest;
  if (selection && evolvesAlone(selection))
    warnings.push({
      path: "selection_strategy.strategy",
      message: `"${selection.strategy}" ${OWN}`,
    });
  const sections = network === null || isPretrained(network) ? [] : sectionsOf(network);
  for (const [key, section] of sections) {
    if (!isDeclared(section)) continue;
    const { arch } = section.encoder_config;
    if (findArchitecture(arch).portable) continue;
    const path = dottedPath(["network", ...(key === null ? [] : [key]), "encoder_config", "arch"]);
    warnings.push({ path, message: `"${arch}" ${OWN}` });
  }
  if (ownEnvironments.includes(environment.name))
    warnings.push({ path: "environment.name", message: `"${environment.name}" ${OWN}` });
  return warnings;
}
