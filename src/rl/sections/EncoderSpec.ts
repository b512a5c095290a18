import { z } from "zod";
import { option, type Prepared, tagged, type UnionTag } from "../../specs/checks.ts";
import { ARCHITECTURES, type ArchitectureDefinition, inWords } from "../modules/all.ts";
import { addArchitecture, INFERABLE, type OwnArchitecture } from "../modules/architectures.ts";
import { boundsCheck } from "../modules/settings.ts";

const names: string[] = ARCHITECTURES.map(({ arch }) => arch);

const TAG: UnionTag = { what: "architecture", key: "arch", tags: names, fallback: "mlp" };

type OptionOf<S> = S extends z.ZodType ? Prepared<S> : never;
type Option = OptionOf<OwnArchitecture["spec"]>;

const optionOf = ({ arch, spec }: Pick<ArchitectureDefinition, "arch" | "spec">): Option =>
  // The types of manifests know only the `arch` of registered architectures' sections.
  option(TAG, arch, spec) as unknown as Option;

// The union reads this list whenever it parses.
const options: Option[] = ARCHITECTURES.map(optionOf);

const madeEncoderSpec = tagged(z.union(options), TAG);
type EncoderSpecMade = typeof madeEncoderSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface EncoderSpecSchema extends EncoderSpecMade {}

/** The part of a network that turns an observation into the latent vector; `arch` is its kind. */
export const EncoderSpec: EncoderSpecSchema = madeEncoderSpec;
export type EncoderSpec = z.output<typeof EncoderSpec>;
/** Name of an encoder's kind. */
export type Architecture = EncoderSpec["arch"];

/**
 * Makes an architecture available to manifests in this thread. Its module must be registered too
 * (`registerModule`). Registering it again has no effect.
 *
 * @throws Error when another architecture has the name.
 *
 * @example
 * ```ts
 * declare const mine: ArchitectureDefinition; // what `defineArchitecture` makes
 * registerArchitecture(mine);
 * ```
 */
export function registerArchitecture(definition: ArchitectureDefinition): void {
  if (!addArchitecture(definition)) return;
  names.push(definition.arch);
  options.push(optionOf(definition));
}

/** The architectures that have a setting, and its value in each when it is unset. */
function applies(key: string): string {
  const unset = INFERABLE.filter(({ inferred }) => Object.hasOwn(inferred.deferred.shape, key)).map(
    ({ arch, inferred: { defaults } }) =>
      Object.hasOwn(defaults, key) ? `${arch} (if unset, ${inWords(defaults[key])})` : arch,
  );
  return `For ${unset.join(", ")}.`;
}

/** The sentence of a field's help that does not depend on the kind. */
const firstSentence = (help: string): string => help.replace(/ If unset, .*$/, "");

function withKinds<S extends z.ZodRawShape>(shape: S): S {
  const fields = Object.entries(shape).map(([key, schema]) => {
    const meta = schema instanceof z.ZodType ? (schema.meta() ?? {}) : {};
    const description = `${firstSentence(meta.description ?? "")} ${applies(key)}`;
    return [key, schema instanceof z.ZodType ? schema.meta({ ...meta, description }) : schema];
  });
  // Keys and types stay; only the help changes.
  return Object.fromEntries(fields) as S;
}

type ShapeOf<A> = A extends { readonly inferred: { readonly deferred: z.ZodObject<infer Shape> } }
  ? Shape
  : never;
type FormOf<A> = A extends { readonly inferred: { readonly form: infer Form } } ? Form : never;
type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type FieldOf<Shape, Key> = Shape extends unknown ? (Key extends keyof Shape ? Shape[Key] : never) : never;
type Merged<Shapes> = { [K in KeyOf<Shapes>]: FieldOf<Shapes, K> };

/** Every field of any shape; for equal names, the first shape's. */
const merged = <Shapes>(shapes: readonly object[]): Merged<Shapes> =>
  Object.assign({}, ...shapes.toReversed()) as Merged<Shapes>;

const madeDeferredEncoderSpec = z
  .strictObject(
    withKinds({
      ...merged<ShapeOf<OwnArchitecture>>(INFERABLE.map(({ inferred }) => inferred.deferred.shape)),
      ...merged<FormOf<OwnArchitecture>>(INFERABLE.map(({ inferred }) => inferred.form ?? {})),
    }),
  )
  .superRefine(boundsCheck([...new Set(INFERABLE.flatMap(({ rules }) => rules))]));
type DeferredEncoderSpecMade = typeof madeDeferredEncoderSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface DeferredEncoderSpecSchema extends DeferredEncoderSpecMade {}

/**
 * An encoder whose kind follows from the environment: any setting of any kind. `resolveNetwork` rejects
 * settings that the kind does not have.
 */
export const DeferredEncoderSpec: DeferredEncoderSpecSchema = madeDeferredEncoderSpec;
export type DeferredEncoderSpec = z.output<typeof DeferredEncoderSpec>;
