import { z } from "zod";
import { aliasesOf } from "../aliases.ts";
import { ManifestFields } from "./TrainingManifest.ts";

/** The keys of an object schema under wrappers, and of all options of a union. */
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

/** The one section that has a key; `undefined` when none or several have it. */
export function sectionOfKey(key: string): string | undefined {
  if (SHARED_KEYS.includes(key)) return undefined;
  const sections = Object.entries(ManifestFields.shape).filter(([, section]) =>
    keysOf(section).includes(key),
  );
  return sections.length === 1 ? sections[0]?.[0] : undefined;
}
