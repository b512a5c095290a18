import { z } from "zod";
import { numericFields, publishedRange } from "../algorithms/numericFields.ts";
import { aliasesOf } from "../aliases.ts";
import { MANIFEST_VERSION, ManifestFields } from "./TrainingManifest.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Accepts the other names of keys too, marked as such. */
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

/** Publishes the search ranges of an algorithm's fields in one place, as the contract has it. */
function addRanges(schema: z.core.$ZodType, json: JsonSchema): void {
  if (!(schema instanceof z.ZodObject)) return;
  const ranges = numericFields(schema).flatMap(({ name }) => {
    const range = publishedRange(schema, name);
    return range === undefined ? [] : [[name, range] as const];
  });
  if (ranges.length > 0) json["x-hpo-ranges"] = Object.fromEntries(ranges);
}

function algorithmOptions(schema: JsonSchema): JsonSchema[] {
  const algorithm = schema.properties?.algorithm;
  const options = typeof algorithm === "object" ? (algorithm.oneOf ?? []) : [];
  return options.filter((option) => typeof option === "object");
}

/**
 * The manifest's JSON Schema (draft 2020-12) of what is accepted as input, with help texts, defaults and
 * form hints. Checks between fields are not part of it.
 */
export function manifestJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(ManifestFields, {
    target: "draft-2020-12",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // Limits of the number type, not of the field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      addAliases(zodSchema, jsonSchema);
      addRanges(zodSchema, jsonSchema);
    },
  });
  for (const option of algorithmOptions(schema)) {
    // The network has a section of its own; the name chooses the option.
    delete option.properties?.net_config;
    option.required = ["name"];
  }
  // Zod takes whatever is read through a preparing step for optional.
  const required = ["algorithm", "environment"];
  return { ...schema, required, title: "Training manifest", "x-manifest-version": MANIFEST_VERSION };
}
