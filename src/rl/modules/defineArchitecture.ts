/** Definition of a kind of encoder for manifests, in one place. */

import { z } from "zod";
import { field } from "../../specs/checks.ts";
import { show } from "../../specs/messages.ts";
import type { ObservationKind } from "../spaces/Space.ts";
import { type BoundsRule, boundsCheck, fillSettings, type Settings } from "./settings.ts";

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
function deferredFields<S extends z.ZodRawShape>(
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

/** An encoder whose architecture follows from the environment: any of its settings may be given. */
export interface InferredArchitecture<Deferred extends z.ZodObject = z.ZodObject> {
  /** The settings, all optional and without defaults. */
  readonly deferred: Deferred;
  /** Values of settings that are not given. */
  readonly defaults: Settings;
  /**
   * Help for the network section's switch that selects it, which has its name: in a section without `arch` and in one
   * with it. Without a switch, it is the default for such observations.
   */
  readonly switch?: { readonly deferred: string; readonly declared: string };
  /** Settings that look different in a form for all architectures. */
  readonly form?: z.ZodRawShape;
  /** Converts settings from a form for all architectures for `deferred` (default: leaves them unchanged). */
  readonly read?: (settings: Settings) => Settings;
  /** The section of a declared encoder with the same settings and defaults filled in. */
  readonly fill: (settings: Settings) => Settings;
}

/** An architecture as the registry knows it, whatever its settings. */
export interface ArchitectureDefinition {
  /** Its name in manifests, and the kind of its module's data. */
  readonly arch: string;
  /** The section of an encoder that declares it: all settings with help, defaults and bounds. */
  readonly spec: z.ZodType;
  /** What it is made for. An encoder of vectors also reads flattened images. */
  readonly reads: ObservationKind;
  /** Whether it remembers from step to step, as a recurrent policy's encoder does. */
  readonly memory: boolean;
  /** Sizes that mutations change, and the settings that bound them. */
  readonly rules: readonly BoundsRule[];
  /** Whether the manifests of AgileRL have it. */
  readonly portable: boolean;
  /** Absent if only `arch` selects it. */
  readonly inferred?: InferredArchitecture;
  /** Resolves a section's settings: nulls that stand for values derived from other settings are replaced. */
  resolve(spec: unknown): unknown;
}

type SpecShape<Arch extends string, Shape extends z.ZodRawShape> = {
  arch: z.ZodDefault<z.ZodLiteral<Arch>>;
} & Shape;
type Spec<Arch extends string, Shape extends z.ZodRawShape> = z.ZodObject<
  SpecShape<Arch, Shape>,
  z.core.$strict
>;
type SpecOutput<Arch extends string, Shape extends z.ZodRawShape> = z.output<Spec<Arch, Shape>>;

/** Options that define an architecture. */
export interface ArchitectureOptions<Arch extends string, Shape extends z.ZodRawShape, Resolved> {
  readonly arch: Arch;
  /** Help for `arch`. */
  readonly description: string;
  /** The fields other than `arch`, each with help and with its default for sections that give `arch`. */
  readonly settings: Shape;
  /** Sizes that mutations change, and the fields that bound them. */
  readonly rules: readonly BoundsRule[];
  readonly reads: ObservationKind;
  /** Default: false. */
  readonly memory?: boolean;
  /** Default: false. */
  readonly portable?: boolean;
  /** Default: the spec, unchanged. */
  readonly resolve?: (spec: SpecOutput<Arch, Shape>) => Resolved;
}

/**
 * Defines a kind of encoder for manifests: its section, its bounds, and what it reads.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 *
 * const architecture = defineArchitecture({
 *   arch: "cosines",
 *   description: "Cosines of the observation.",
 *   settings: { num_features: z.int().min(1).default(64) },
 *   rules: [],
 *   reads: "vector",
 * });
 * registerArchitecture(architecture);
 * ```
 */
export function defineArchitecture<
  Arch extends string,
  Shape extends z.ZodRawShape,
  Resolved = SpecOutput<Arch, Shape>,
>(options: ArchitectureOptions<Arch, Shape, Resolved>) {
  const { arch, description, settings, rules, reads, memory = false, portable = false } = options;
  // The literal's own value is its default, which TypeScript cannot tell for a type parameter.
  const literal = z.literal(arch).default(arch as never) as z.ZodDefault<z.ZodLiteral<Arch>>;
  const shape: SpecShape<Arch, Shape> = { arch: field(literal, description), ...settings };
  const resolve = options.resolve ?? ((spec) => spec as Resolved);
  return {
    arch,
    spec: z.strictObject(shape).superRefine(boundsCheck(rules)) as Spec<Arch, Shape>,
    reads,
    memory,
    rules,
    portable,
    /** @param spec An output of `spec`. */
    resolve: (spec: unknown): unknown => resolve(spec as SpecOutput<Arch, Shape>),
  };
}

export interface DeferredOptions<Shape extends z.ZodRawShape> {
  readonly settings: Shape;
  readonly rules: readonly BoundsRule[];
  /** Values of unset settings. */
  readonly defaults: Settings;
}

/** The schema of a network part with only some settings given. */
export const deferredSpec = <Shape extends z.ZodRawShape>({
  settings,
  rules,
  defaults,
}: DeferredOptions<Shape>): z.ZodObject<DeferredShape<Shape>, z.core.$strict> =>
  z.strictObject(deferredFields(settings, defaults)).superRefine(boundsCheck(rules));

/** Lets the environment's observations select an architecture if a section names none. @internal */
export const inferredArchitecture = <Shape extends z.ZodRawShape>(options: DeferredOptions<Shape>) => ({
  deferred: deferredSpec(options),
  defaults: options.defaults,
  fill: (settings: Settings): Settings => fillSettings(settings, options.defaults, options.rules),
});
