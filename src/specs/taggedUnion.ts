import { z } from "zod";
import type { Prepared } from "./aliases.ts";
import { explainName } from "./names.ts";
import { isMapping } from "./plain.ts";

/** How an input selects its option in a union, so that errors list only that option's fields. */
export interface UnionTag {
  /** Name of what the union selects, for messages: "algorithm", "environment type". */
  what: string;
  /** The key that holds the tag; the place of an error about an unknown tag. */
  key: string;
  /** Tags in the order of the union's options. */
  tags: readonly string[];
  /** Names that the format knows beyond `tags`. */
  known?: readonly string[];
  /** The tag of an input that does not carry the key. */
  fallback?: string;
  /** Returns the tag if it is not the value of `key`. */
  tagOf?: (input: Record<string, unknown>) => string;
}

// Keyed by definition object, which stays the same when a schema is described (and so cloned).
const tagOfUnion = new WeakMap<object, UnionTag>();

/** The tag that an input carries, unchecked. */
export function tagValue(tag: UnionTag, input: Record<string, unknown>): unknown {
  return tag.tagOf === undefined ? (input[tag.key] ?? tag.fallback) : tag.tagOf(input);
}

/**
 * Limits an option to inputs that carry its tag. Without this, zod prefers an option that only has
 * unknown keys to the one that was meant.
 */
export function option<S extends z.ZodType>(tag: UnionTag, name: string, schema: S): Prepared<S> {
  return z.preprocess((raw: z.input<S>, context): unknown => {
    const found = isMapping(raw) ? tagValue(tag, raw) : name;
    if (found !== name) {
      const { message, ...params } = explainName(tag.what, found, tag.tags, tag.known ?? []);
      context.addIssue({ code: "custom", path: [tag.key], message, params });
    }
    return raw;
  }, schema);
}

/** Registers how the input selects a union's option. */
export function tagged<U extends z.ZodType>(union: U, tag: UnionTag): U {
  tagOfUnion.set(union.def, tag);
  return union;
}

/** The registered tag of a union schema. */
export function unionTag(schema: { _zod: { def: object } }): UnionTag | undefined {
  return tagOfUnion.get(schema._zod.def);
}

/** Position of the option that an input's tag selects; `undefined` when the tag is unknown. */
export function chosenOption(tag: UnionTag, input: Record<string, unknown>): number | undefined {
  const value = tagValue(tag, input);
  const index = tag.tags.findIndex((name) => name === value);
  return index < 0 ? undefined : index;
}
