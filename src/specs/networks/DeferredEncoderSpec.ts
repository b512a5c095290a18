import { z } from "zod";
import { field, integer, layerSizes } from "../field.ts";
import { INFERABLE, type OwnArchitecture } from "./architectures.ts";
import { inWords } from "./deferredFields.ts";
import { boundsCheck } from "./settings.ts";

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
type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type FieldOf<Shape, Key> = Shape extends unknown ? (Key extends keyof Shape ? Shape[Key] : never) : never;
type Shapes = ShapeOf<OwnArchitecture>;

/** Every setting of any architecture; for equal names, the first architecture's field. */
const everySetting = Object.assign(
  {},
  ...INFERABLE.map(({ inferred }) => inferred.deferred.shape).toReversed(),
) as { [K in KeyOf<Shapes>]: FieldOf<Shapes, K> };

const madeDeferredEncoderSpec = z
  .strictObject(
    withKinds({
      ...everySetting,
      hidden_size: field(
        z.union([layerSizes(), integer(1)]).optional(),
        "Width of each hidden layer, or the one width of simba.",
        { unit: "nodes" },
      ),
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
