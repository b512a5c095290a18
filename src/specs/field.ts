import { z } from "zod";
import { LARGEST_COUNT, LARGEST_REAL } from "./plain.ts";

/** A range that hyperparameter search may move a field in, with the factors of one step. */
export interface HpoRange {
  min: number;
  max: number;
  grow_factor: number;
  shrink_factor: number;
}

/** Hints for forms, kept in a field's metadata and written to the JSON Schema with an `x-` prefix. */
export interface FieldHints {
  unit?: string;
  /** Step of a spinner; `"log"` for fields that are compared by their order of magnitude. */
  step?: number | "log";
  /** Range published for hyperparameter search. */
  hpo?: HpoRange;
  /** False for numbers that a hyperparameter mutation must leave alone; true for categories that it may change. */
  mutable?: boolean;
  /** Hidden in forms until requested. */
  advanced?: boolean;
  /** False when the value is accepted and carried over, but nothing in this library reads it. */
  effect?: boolean;
  /**
   * Unknown to AgileRL: exported manifests omit its default and warn about other values. A list
   * names the values that are unknown to it, of a field that it knows.
   */
  rlkit_only?: boolean | readonly (string | boolean)[];
  /**
   * Set if the value names something outside the manifest (a file, a folder, a module, a model or an address).
   * Lists the names that are built in, and so name nothing outside.
   */
  outside?: readonly string[];
}

/** The metadata key under which {@link FieldHints.hpo} is kept. */
export const HPO_RANGE_KEY = "x-hpo-range";
/** The metadata key under which {@link FieldHints.mutable} is kept. */
export const MUTABLE_KEY = "x-mutable";
/** The metadata key under which {@link FieldHints.rlkit_only} is kept. */
export const RLKIT_ONLY_KEY = "x-rlkit-only";
/** The metadata key under which {@link FieldHints.effect} is kept. */
export const EFFECT_KEY = "x-effect";
/** The metadata key under which {@link FieldHints.outside} is kept. */
export const OUTSIDE_KEY = "x-outside";

const HINT_KEYS: Record<keyof FieldHints, string> = {
  unit: "x-unit",
  step: "x-step",
  hpo: HPO_RANGE_KEY,
  mutable: MUTABLE_KEY,
  advanced: "x-advanced",
  effect: EFFECT_KEY,
  rlkit_only: RLKIT_ONLY_KEY,
  outside: OUTSIDE_KEY,
};

/** Attaches help text and form hints to a field. Must come last, after `default` and `nullable`. */
export function field<S extends z.ZodType>(schema: S, description: string, hints: FieldHints = {}): S {
  const meta: Record<string, unknown> = { description };
  for (const [key, value] of Object.entries(hints)) meta[HINT_KEYS[key as keyof FieldHints]] = value;
  return schema.meta(meta);
}

/** An integer of at least `minimum`. */
export function integer(minimum: number): z.ZodInt {
  return z.int().min(minimum);
}

/** Maximum layers of a network and steps of a return: programs have separate code for each. */
export const MOST_LAYERS = 1_000;

/** An integer from `minimum` to 2^31 - 1. */
export function count(minimum: number): z.ZodInt {
  return integer(minimum).max(LARGEST_COUNT);
}

/** A number of layers, blocks or steps, for each of which programs have code; from `minimum` to 1,000. */
export function layers(minimum: number): z.ZodInt {
  return integer(minimum).max(MOST_LAYERS);
}

/** A list of one positive integer for each layer. */
export function layerSizes(each = integer(1)): z.ZodArray<z.ZodInt> {
  return z.array(each).min(1).max(MOST_LAYERS);
}

/** A number in the range of f32. */
export function real(): z.ZodNumber {
  return z.number().min(-LARGEST_REAL).max(LARGEST_REAL);
}

/** A number of at least `minimum` in the range of f32. */
export function atLeast(minimum: number): z.ZodNumber {
  return z.number().min(minimum).max(LARGEST_REAL);
}

/** A finite number in [0, 1]. */
export function fraction(): z.ZodNumber {
  return z.number().min(0).max(1);
}

/** A range; the factors of a step default to 1.2 up and 0.8 down. */
export function hpoRangeOf(min: number, max: number, grow_factor = 1.2, shrink_factor = 0.8): HpoRange {
  return { min, max, grow_factor, shrink_factor };
}

/** Any mapping, with unchecked keys. */
export function mapping(): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  return z.record(z.string(), z.unknown());
}
