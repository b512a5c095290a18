import { z } from "zod";
import { aliasesOf } from "../specs/checks.ts";
import { canonicalName, findAlgorithm } from "./names.ts";
import { ManifestFields } from "./TrainingManifest.ts";

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
