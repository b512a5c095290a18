import { z } from "zod";
import { isMapping } from "./plain.ts";

/** A schema whose input is rewritten first. Named, so that declarations do not list the input's fields again. */
export interface Prepared<S extends z.ZodType> extends z.ZodPreprocess<S, z.input<S>> {}

const aliasesOfSchema = new WeakMap<object, Readonly<Record<string, string>>>();
const spellings = new Map<string, Set<string>>();

function remember(aliases: Readonly<Record<string, string>>): void {
  for (const [alias, name] of Object.entries(aliases)) {
    const known = spellings.get(name) ?? new Set<string>();
    spellings.set(name, known.add(alias));
  }
}

function renameKeys(
  raw: unknown,
  aliases: Readonly<Record<string, string>>,
  onClash: (alias: string, name: string) => void,
): unknown {
  if (!isMapping(raw)) return raw;
  const renamed = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    const name = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
    if (name === undefined) renamed.set(key, value);
    else if (Object.hasOwn(raw, name) || renamed.has(name)) onClash(key, name);
    else renamed.set(name, value);
  }
  return Object.fromEntries(renamed);
}

/**
 * Lets an object schema also read keys under other names.
 *
 * @param aliases Maps other names to the schema's own.
 * @param prepare Runs on the renamed input, before validation; must not change its argument.
 */
export function withAliases<S extends z.ZodObject>(
  schema: S,
  aliases: Readonly<Record<string, string>>,
  prepare: (raw: unknown, context: z.core.$RefinementCtx) => unknown = (raw) => raw,
): Prepared<S> {
  aliasesOfSchema.set(schema.def, aliases);
  remember(aliases);
  return z.preprocess((raw: z.input<S>, context): unknown => {
    const renamed = renameKeys(raw, aliases, (alias, name) =>
      context.addIssue({
        code: "custom",
        path: [alias],
        message: `given together with "${name}", which is the same setting; keep one of the two`,
      }),
    );
    return prepare(renamed, context);
  }, schema);
}

/** The other names that {@link withAliases} gave an object schema, from other name to own name. */
export function aliasesOf(schema: z.core.$ZodType): Readonly<Record<string, string>> {
  return aliasesOfSchema.get(schema._zod.def) ?? {};
}

/** Rewrites canonical segments into the spelling that `input` itself uses. */
export function inputSpelling(
  input: unknown,
  segments: readonly (string | number)[],
): readonly (string | number)[] {
  let node = input;
  return segments.map((segment) => {
    let spelt = segment;
    if (typeof segment === "string" && isMapping(node) && !Object.hasOwn(node, segment)) {
      const mapping = node;
      spelt = [...(spellings.get(segment) ?? [])].find((alias) => Object.hasOwn(mapping, alias)) ?? segment;
    }
    if (typeof spelt === "number") node = Array.isArray(node) ? node[spelt] : undefined;
    else node = isMapping(node) ? node[spelt] : undefined;
    return spelt;
  });
}
