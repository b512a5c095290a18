import { z } from "zod";
import { listArchitectures, StochasticActorSpec } from "../rl/networks.ts";
import { numericFields, publishedRange } from "../specs/algorithms.ts";
import { aliasesOf } from "../specs/checks.ts";
import { LARGEST_COUNT, LARGEST_REAL } from "../specs/messages.ts";
import { OTHER_NAMES } from "./names.ts";
import { MANIFEST_VERSION, ManifestFields } from "./TrainingManifest.ts";

/** Limits of the types that store numbers. */
const OF_NUMBER_TYPES: readonly (number | undefined)[] = [
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  LARGEST_COUNT,
  LARGEST_REAL,
  -LARGEST_REAL,
];

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Also accepts the other names of keys, marked as deprecated. */
function addAliases(schema: z.core.$ZodType, json: JsonSchema): void {
  const properties = json.properties;
  if (properties === undefined) return;
  for (const [alias, name] of Object.entries(aliasesOf(schema))) {
    const property = properties[name];
    if (typeof property !== "object") continue;
    properties[alias] = { ...property, description: `Another name of ${name}.`, deprecated: true };
    delete (properties[alias] as JsonSchema).default;
  }
}

/** Also accepts `arch` at the root of a complete network section, marked as deprecated. */
function addRootArch(schema: z.core.$ZodType, json: JsonSchema): void {
  if (schema._zod.def !== StochasticActorSpec.def || json.properties === undefined) return;
  const description = "Another name of encoder_config.arch.";
  const names = listArchitectures().map(({ arch }) => arch);
  json.properties.arch = { type: "string", enum: names, description, deprecated: true };
}

/** Publishes the search ranges of an algorithm's fields in one place, as the contract requires. */
function addRanges(schema: z.core.$ZodType, json: JsonSchema): void {
  if (!(schema instanceof z.ZodObject)) return;
  const ranges = numericFields(schema).flatMap(({ name }) => {
    const range = publishedRange(schema, name);
    return range === undefined ? [] : [[name, range] as const];
  });
  if (ranges.length > 0) json["x-hpo-ranges"] = Object.fromEntries(ranges);
}

/** Copies of an algorithm's option under its other names, marked as deprecated. */
function underOtherNames(option: JsonSchema): JsonSchema[] {
  const name = option.properties?.name;
  const own = typeof name === "object" ? name.const : undefined;
  const others = Object.keys(OTHER_NAMES).filter((other) => OTHER_NAMES[other] === own);
  return others.map((other) => {
    const renamed = { type: "string", const: other, description: `Another name of ${String(own)}.` } as const;
    return { ...option, deprecated: true, properties: { ...option.properties, name: renamed } };
  });
}

function finishAlgorithms(schema: JsonSchema): void {
  const algorithm = schema.properties?.algorithm;
  if (typeof algorithm !== "object") return;
  const options = (algorithm.oneOf ?? []).filter((option) => typeof option === "object");
  for (const option of options) {
    // The network has its own section; the name selects the option.
    delete option.properties?.net_config;
    option.required = ["name"];
  }
  algorithm.oneOf = [...options, ...options.flatMap(underOtherNames)];
}

/**
 * The JSON Schema (draft 2020-12) of manifests that are accepted as input, with help texts, defaults and form
 * hints. It does not include checks between fields.
 */
export function manifestJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(ManifestFields, {
    target: "draft-2020-12",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // Limits of the number type, not of the field.
      if (OF_NUMBER_TYPES.includes(jsonSchema.maximum)) delete jsonSchema.maximum;
      if (OF_NUMBER_TYPES.includes(jsonSchema.minimum)) delete jsonSchema.minimum;
      addAliases(zodSchema, jsonSchema);
      addRootArch(zodSchema, jsonSchema);
      addRanges(zodSchema, jsonSchema);
    },
  });
  finishAlgorithms(schema);
  // Zod treats everything that has a preprocessing step as optional.
  const required = ["algorithm", "environment"];
  return { ...schema, required, title: "Training manifest", "x-manifest-version": MANIFEST_VERSION };
}
