import { z } from "zod";
import { show } from "../explainName.ts";

type Undefaulted<S> = S extends z.ZodDefault<infer Inner> ? Inner : S;

/** The fields of a spec, all optional and without defaults. */
export type DeferredShape<S extends z.ZodRawShape> = {
  [K in Exclude<keyof S, "arch">]: Undefaulted<S[K]> extends infer Inner extends z.ZodType
    ? z.ZodOptional<Inner>
    : never;
};

/** The value of an unset setting, in words. */
export const inWords = (value: unknown): string =>
  value === null ? "none" : value === true ? "on" : value === false ? "off" : show(value);

/**
 * The fields of a network part with only some settings given. Their help states the values of settings that
 * are not given.
 *
 * @param defaults Values of the settings that `resolveNetwork` fills in.
 */
export function deferredFields<S extends z.ZodRawShape>(
  shape: S,
  defaults: Readonly<Record<string, unknown>>,
): DeferredShape<S> {
  const deferred = Object.entries(shape).flatMap(([key, schema]) => {
    if (key === "arch" || !(schema instanceof z.ZodType)) return [];
    const meta = schema.meta() ?? {};
    const inner = schema instanceof z.ZodDefault ? (schema.def.innerType as z.ZodType) : schema;
    const unset = Object.hasOwn(defaults, key) ? ` If unset, ${inWords(defaults[key])}.` : "";
    return [[key, inner.optional().meta({ ...meta, description: `${meta.description ?? ""}${unset}` })]];
  });
  // The loop keeps keys and drops defaults, as the type states.
  return Object.fromEntries(deferred) as DeferredShape<S>;
}
