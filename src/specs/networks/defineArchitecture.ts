/** What a kind of encoder is to manifests, in one place. */
import { z } from "zod";
import { field } from "../field.ts";
import { type DeferredShape, deferredFields } from "./deferredFields.ts";
import { boundsCheck } from "./settings.ts";
import { type BoundsRule, fillSettings, type Settings } from "./sizeBounds.ts";

/** What an encoder reads: numbers in a row (also one-hot), an image (height, width, channels), or several parts. */
export type ObservationKind = "vector" | "image" | "mixed";

/** An encoder whose architecture follows from the environment: any of its settings may be given. */
export interface InferredArchitecture<Deferred extends z.ZodObject = z.ZodObject> {
  /** The settings, none required and none with a default. */
  readonly deferred: Deferred;
  /** What holds for those that are not given. */
  readonly defaults: Settings;
  /** The switch of the network section that asks for it; unless given it is what such observations have anyway. */
  readonly switch?: "simba";
  /** Settings as `deferred` reads them, from a form for every architecture; as they are unless given. */
  readonly read?: (settings: Settings) => Settings;
  /** The section of a declared encoder with the same settings, open ones filled in. */
  readonly fill: (settings: Settings) => Settings;
}

/** An architecture as the registry knows it, whatever its settings. */
export interface ArchitectureDefinition {
  /** Its name in manifests, and the kind of its module's data. */
  readonly arch: string;
  /** The section of an encoder that declares it: all settings with help, defaults and bounds. */
  readonly spec: z.ZodType;
  /** What it is made for. One of vectors also reads an image, flattened. */
  readonly reads: ObservationKind;
  /** Whether it remembers from step to step, as a recurrent policy's encoder does. */
  readonly memory: boolean;
  /** Sizes that mutations change, and the settings that bound them. */
  readonly rules: readonly BoundsRule[];
  /** Whether the manifests of the Python relative have it. */
  readonly portable: boolean;
  /** Absent where only `arch` chooses it. */
  readonly inferred?: InferredArchitecture;
  /** Every setting, from a section's: where null stands for one that follows from others, that one. */
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

/** What is said of an architecture. */
export interface ArchitectureOptions<Arch extends string, Shape extends z.ZodRawShape, Resolved> {
  readonly arch: Arch;
  /** Help for `arch`. */
  readonly description: string;
  /** The fields beside `arch`, each with help, and with the default that it has where `arch` is given. */
  readonly settings: Shape;
  /** Sizes that mutations change, and the fields that bound them. */
  readonly rules: readonly BoundsRule[];
  readonly reads: ObservationKind;
  /** False unless given. */
  readonly memory?: boolean;
  /** False unless given. */
  readonly portable?: boolean;
  /** As it is unless given. */
  readonly resolve?: (spec: SpecOutput<Arch, Shape>) => Resolved;
}

/**
 * What a kind of encoder is to manifests: its section, its bounds, and what it reads.
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
  // The literal's own value is its default, which TypeScript does not see of a type parameter.
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
    // Method syntax: the registry hands over what `spec` made.
    resolve(spec: SpecOutput<Arch, Shape>): Resolved {
      return resolve(spec);
    },
  };
}

export interface DeferredOptions<Shape extends z.ZodRawShape> {
  readonly settings: Shape;
  readonly rules: readonly BoundsRule[];
  /** Values that unset settings have. */
  readonly defaults: Settings;
}

/** The schema of a network's part of which only some settings are given. */
export const deferredSpec = <Shape extends z.ZodRawShape>({
  settings,
  rules,
  defaults,
}: DeferredOptions<Shape>): z.ZodObject<DeferredShape<Shape>, z.core.$strict> =>
  z.strictObject(deferredFields(settings, defaults)).superRefine(boundsCheck(rules));

/** Makes an architecture one that the environment's observations choose where a section names none. */
export const inferredArchitecture = <Shape extends z.ZodRawShape>(options: DeferredOptions<Shape>) => ({
  deferred: deferredSpec(options),
  defaults: options.defaults,
  fill: (settings: Settings): Settings => fillSettings(settings, options.defaults, options.rules),
});
