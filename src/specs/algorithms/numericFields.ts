import { z } from "zod";
import { HPO_RANGE_KEY, type HpoRange, MUTABLE_KEY } from "../field.ts";
import { isMapping } from "../plain.ts";

/** A numeric field of an algorithm's spec that a hyperparameter mutation may change. */
export interface NumericField {
  name: string;
  kind: "int" | "float";
  /** The default; `null` for fields that are unset by default. */
  value: number | null;
  /** Bounds of the field itself, wider than any search range. */
  minimum: number | null;
  maximum: number | null;
  description: string;
}

function unwrap(schema: z.core.$ZodType): { inner: z.core.$ZodType; value: unknown } {
  let inner = schema;
  let value: unknown = null;
  for (;;) {
    if (inner instanceof z.ZodDefault) {
      value = inner.def.defaultValue;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodNullable || inner instanceof z.ZodOptional) {
      inner = inner.def.innerType;
    } else return { inner, value };
  }
}

const finite = (bound: number | null): number | null =>
  bound === null || !Number.isFinite(bound) || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? null : bound;

/** The numeric fields of an object schema, except those marked as not mutable. */
export function numericFields(schema: z.ZodObject): NumericField[] {
  return Object.entries(schema.shape).flatMap(([name, fieldSchema]: [string, z.ZodType]) => {
    const { inner, value } = unwrap(fieldSchema);
    const meta = fieldSchema.meta() ?? {};
    if (!(inner instanceof z.ZodNumber) || meta[MUTABLE_KEY] === false) return [];
    return {
      name,
      kind: inner.isInt ? "int" : "float",
      value: typeof value === "number" ? value : null,
      minimum: finite(inner.minValue),
      maximum: finite(inner.maxValue),
      description: meta.description ?? "",
    } satisfies NumericField;
  });
}

/** A field of an algorithm's spec whose values are categories, and that a hyperparameter mutation may change. */
export interface CategoryField {
  name: string;
  values: readonly (string | boolean)[];
}

/** The fields of categories of an object schema that are marked as mutable. */
export function categoryFields(schema: z.ZodObject): CategoryField[] {
  return Object.entries(schema.shape).flatMap(([name, fieldSchema]: [string, z.ZodType]): CategoryField[] => {
    if (fieldSchema.meta()?.[MUTABLE_KEY] !== true) return [];
    const { inner } = unwrap(fieldSchema);
    if (inner instanceof z.ZodBoolean) return [{ name, values: [false, true] }];
    return inner instanceof z.ZodEnum ? [{ name, values: inner.options.map(String) }] : [];
  });
}

function isRange(value: unknown): value is HpoRange {
  return isMapping(value) && typeof value.min === "number" && typeof value.max === "number";
}

/** The range for hyperparameter search in a field's metadata. */
export function publishedRange(schema: z.ZodObject, name: string): HpoRange | undefined {
  const fieldSchema: z.ZodType | undefined = Object.hasOwn(schema.shape, name)
    ? schema.shape[name]
    : undefined;
  const range = fieldSchema?.meta()?.[HPO_RANGE_KEY];
  return isRange(range) ? range : undefined;
}
