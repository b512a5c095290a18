/** Fields of a parsed section that its owner has set. */
import { z } from "zod";
import { EFFECT_KEY } from "./field.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a parsed value that differ from their default. */
export const fieldsSet = (shape: z.ZodRawShape, value: Fields): string[] =>
  Object.entries(shape).flatMap(([key, schema]) => {
    const unset: unknown = z.safeParse(schema, undefined).data ?? null;
    return JSON.stringify(value[key] ?? null) === JSON.stringify(unset) ? [] : [key];
  });

/** The set fields that nothing in this library reads, according to the schema's hints. */
export const fieldsWithoutEffect = (shape: z.ZodRawShape, value: Fields): string[] =>
  fieldsSet(shape, value).filter((key) => {
    const schema = shape[key];
    return schema instanceof z.ZodType && schema.meta()?.[EFFECT_KEY] === false;
  });
