/**
 * Keys that are not where they should be: those of AgileRL's 2.x releases, and keys of other sections.
 */
import { z } from "zod";
import { aliasesOf } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import type { ManifestWarning } from "./manifestWarnings.ts";
import { canonicalName, findAlgorithm } from "./names.ts";
import { ManifestFields } from "./TrainingManifest.ts";

type Mapping = Record<string, unknown>;

/** A manifest translated to the current keys, and warnings about the changes. */
interface Translated {
  readonly manifest: Mapping;
  readonly warnings: readonly ManifestWarning[];
}

/** Translates one difference of AgileRL's 2.x manifests; modifies the copies passed to it. */
type Rule = (
  sections: { readonly algorithm: Mapping; readonly environment: Mapping; readonly training: Mapping },
  warn: (path: string, message: string) => void,
) => void;

/** Settings of generation. */
const SAMPLING = [
  "use_vllm",
  "action_granularity",
  "vllm_importance_sampling_correction",
  "vllm_importance_sampling_cap",
];

/** Algorithms that learn from rows generate nothing. */
const dropSampling: Rule = ({ algorithm }, warn) => {
  const learnsRows = (findAlgorithm(canonicalName(algorithm.name))?.objective ?? null) !== null;
  if (!learnsRows) return;
  for (const key of SAMPLING) {
    if (!Object.hasOwn(algorithm, key)) continue;
    delete algorithm[key];
    warn(`algorithm.${key}`, `was left out: ${String(algorithm.name)} generates nothing`);
  }
};

/** Types of environment that have been renamed. */
const ENV_TYPES: Readonly<Record<string, Mapping>> = {
  reasoning: { env_type: "rollout" },
  multiturn: { env_type: "rollout" },
  preference: { env_type: "dataset", objective: "preference" },
  sft: { env_type: "dataset", objective: "sft" },
};

const renameEnvType: Rule = ({ environment }, warn) => {
  const found = environment.env_type;
  const today = typeof found === "string" && Object.hasOwn(ENV_TYPES, found) ? ENV_TYPES[found] : undefined;
  if (today === undefined) return;
  Object.assign(environment, { ...today, ...environment, env_type: today.env_type });
  // For these types, the name was the dataset's.
  if (found !== "multiturn" && environment.dataset === undefined && environment.name !== undefined) {
    environment.dataset = environment.name;
    delete environment.name;
  }
  warn("environment.env_type", `"${String(found)}" is the 2.x name of "${String(today.env_type)}"`);
};

const renameEnvName: Rule = ({ environment }, warn) => {
  if (!Object.hasOwn(environment, "env_name")) return;
  const { env_name } = environment;
  delete environment.env_name;
  environment.entrypoint ??= env_name;
  environment.factory ??= "gem:make";
  warn("environment.env_name", "is the 2.x name of entrypoint, with factory gem:make");
};

/** The nested buffer of 2.x was never read. */
const dropNestedBuffer: Rule = ({ training }, warn) => {
  if (!Object.hasOwn(training, "replay_buffer")) return;
  delete training.replay_buffer;
  warn(
    "training.replay_buffer",
    "is a key of 2.x releases that had no effect; see the section replay_buffer",
  );
};

const RULES: readonly Rule[] = [dropSampling, renameEnvType, renameEnvName, dropNestedBuffer];

/** Translates keys of AgileRL's 2.x releases, with one warning each. The input is not changed. */
export function translateOldKeys(raw: Mapping): Translated {
  const warnings: ManifestWarning[] = [];
  const section = (key: string): Mapping => {
    const value = raw[key];
    return isMapping(value) ? { ...value } : {};
  };
  const sections = {
    algorithm: section("algorithm"),
    environment: section("environment"),
    training: section("training"),
  };
  for (const rule of RULES) rule(sections, (path, message) => warnings.push({ path, message }));
  if (warnings.length === 0) return { manifest: raw, warnings };
  // A section of the wrong type is left unchanged, so that validation reports it.
  const copies = Object.entries(sections).filter(([key]) => isMapping(raw[key]));
  return { manifest: { ...raw, ...Object.fromEntries(copies) }, warnings };
}

/** The keys of an object schema inside wrappers, or of all options of a union. */
function keysOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return [...Object.keys(schema.shape), ...Object.keys(aliasesOf(schema))];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(keysOf);
  if (schema instanceof z.ZodPipe) return keysOf(schema.out);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable) {
    return keysOf(schema.def.innerType);
  }
  return [];
}

const SHARED_KEYS: readonly string[] = ["name"];

/**
 * The only section that has a key; `undefined` when none or several have it.
 *
 * @param algorithm Name in the algorithm section; other algorithms' keys would be rejected there.
 */
export function sectionOfKey(key: string, algorithm: unknown): string | undefined {
  if (SHARED_KEYS.includes(key)) return undefined;
  const { algorithm: _, ...others } = ManifestFields.shape;
  const chosen = findAlgorithm(canonicalName(algorithm));
  const sections = Object.entries({ ...others, ...(chosen && { algorithm: chosen.schema }) }).filter(
    ([, section]) => keysOf(section).includes(key),
  );
  return sections.length === 1 ? sections[0]?.[0] : undefined;
}
