/** Derived from the fields of a kind of network: defaults, checks of bounds, and stored fields. */
import { z } from "zod";
import { type BoundsRule, checkBounds, type Settings } from "./sizeBounds.ts";

/** Type of a number of nodes, channels or layers in stored data. */
export const storedSize = z.int().positive();
/** Type of a bound of such a number. */
export const storedBound = z.int().nonnegative();
/** [channels, height, width] of an image. */
export const storedImage = z.tuple([storedSize, storedSize, storedSize]).readonly();
export type ImageShape = z.output<typeof storedImage>;

type Bare<S> = S extends z.ZodDefault<infer Inner> ? Inner : S;
type Frozen<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

/** Fields as they appear in data, without defaults. */
export type StoredFields<S extends z.ZodRawShape> = {
  readonly [K in keyof S]: z.ZodType<Frozen<z.output<Bare<S[K]>>>>;
};

function storedField(key: string, schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault) return storedField(key, schema.def.innerType as z.ZodType);
  if (schema instanceof z.ZodNullable) return storedField(key, schema.def.innerType as z.ZodType).nullable();
  if (schema instanceof z.ZodArray) return z.array(storedField(key, schema.def.element as z.ZodType)).min(1);
  if (schema instanceof z.ZodNumber) return /^(min|max)_/.test(key) ? storedBound : storedSize;
  return schema;
}

/**
 * The fields of a kind as they appear in an agent's data. Limits of manifests do not apply to data: modules
 * that callers create, and mutations, can have sizes beyond them.
 */
export const storedFields = <S extends z.ZodRawShape>(shape: S): StoredFields<S> =>
  // The loop keeps keys and drops defaults and limits, as the type states.
  Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [key, storedField(key, schema as z.ZodType)]),
  ) as StoredFields<S>;

type Defaults<S extends z.ZodRawShape> = {
  readonly [K in keyof S as S[K] extends z.ZodDefault ? K : never]: Frozen<NonNullable<z.output<S[K]>>>;
};

/** Defaults of the fields that have one, except defaults of null, which the field's own help explains. */
export function defaultsOf<S extends z.ZodRawShape>(shape: S): Defaults<S> {
  const defaults = Object.entries(shape).flatMap(([key, schema]) =>
    schema instanceof z.ZodDefault && schema.def.defaultValue !== null
      ? [[key, schema.def.defaultValue]]
      : [],
  );
  // Keys and values are those of the schemas.
  return Object.fromEntries(defaults) as Defaults<S>;
}

/** A check of sizes against their bounds. */
export const boundsCheck =
  (rules: readonly BoundsRule[]) =>
  (settings: Settings, context: z.core.$RefinementCtx): void =>
    checkBounds(settings, rules, context);

/**
 * Defaults of one of three uses of a kind, which differ for some fields. A section that declares its `arch`
 * has the fields' own defaults. A section that does not, and a module that a caller creates (`EvolvableMLP`),
 * have others. The file of a kind lists only where the second and third differ from the first.
 */
export const defaultsWith = <S extends z.ZodRawShape, const D extends Settings>(
  shape: S,
  differing: D,
): Omit<Defaults<S>, keyof D> & D => ({ ...defaultsOf(shape), ...differing });
