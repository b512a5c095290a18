/** An algorithm's hyperparameters: the fields of its spec, to which its definition refers by name. */
import type { z } from "zod";
import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import { SpecError } from "../../specs/checks.ts";
import { nearest } from "../../specs/messages.ts";

/** An agent's hyperparameters, by name, while its programs are traced. */
export type Hyperparameters = Readonly<Record<string, number | boolean | string | null>>;

/** Whether a boolean hyperparameter is true. */
export const flag = <H extends Hyperparameters>(hyperparameters: H, name: keyof H & string): boolean =>
  hyperparameters[name] === true;

/** Fields of a spec; any, if its type does not say which. */
type FieldsOf<S extends AlgorithmDefinition> = z.ZodObject extends S["schema"]
  ? Readonly<Record<string, number>>
  : z.output<S["schema"]>;

/** Names of an algorithm's hyperparameters: the fields of its spec. */
export type FieldName<S extends AlgorithmDefinition> = keyof FieldsOf<S> & string;

/** An algorithm's hyperparameters under the names of its spec. */
export type HyperparametersOf<S extends AlgorithmDefinition> = Readonly<
  Record<FieldName<S>, Hyperparameters[string]>
>;

/** Names of the fields `F` that are numbers. */
export type NumberIn<F> = {
  [K in keyof F]-?: NonNullable<F[K]> extends number ? K : never;
}[keyof F] &
  string;
/** Names of an algorithm's hyperparameters that are numbers. */
export type NumberName<S extends AlgorithmDefinition> = NumberIn<FieldsOf<S>>;

/** The members of a definition that refer to hyperparameters by name. */
interface Referring {
  readonly spec: AlgorithmDefinition;
  readonly optimizers: Readonly<
    Record<string, { readonly lr: string; readonly max_grad_norm?: string | number }>
  >;
  readonly structural: readonly string[];
  readonly counts: readonly string[];
  readonly delayed?: { readonly every: string };
}

/**
 * Checks that every hyperparameter named in a definition is a field of the algorithm's spec.
 * @throws SpecError listing the places of all names that are not, with the fields of the spec.
 */
export function requireHyperparameters(definition: Referring): void {
  const { spec, optimizers, structural, counts, delayed } = definition;
  const uses = [
    ...Object.entries(optimizers).flatMap(([optimizer, { lr, max_grad_norm }]) => [
      [`optimizers.${optimizer}.lr`, lr],
      [`optimizers.${optimizer}.max_grad_norm`, max_grad_norm],
    ]),
    ...structural.map((field, i) => [`structural.${i}`, field]),
    ...counts.map((field, i) => [`counts.${i}`, field]),
    ["delayed.every", delayed?.every],
  ] as const;
  refuseUnknown(
    spec,
    uses.flatMap(([place, field]) => (typeof field === "string" ? [{ place: place as string, field }] : [])),
  );
}

/** @throws SpecError for a program that reads a hyperparameter without a field in the algorithm's spec. */
export const requireRead = (
  { spec }: { readonly spec: AlgorithmDefinition },
  program: string,
  fields: readonly string[],
): void =>
  refuseUnknown(
    spec,
    fields.map((field) => ({ place: program, field })),
  );

function refuseUnknown(
  { name: algorithm, schema }: AlgorithmDefinition,
  uses: readonly { readonly place: string; readonly field: string }[],
): void {
  const known = Object.keys(schema.shape).filter((field) => field !== "name");
  const issues = uses
    .filter(({ field }) => !known.includes(field))
    .map(({ place, field }) => {
      const suggestion = nearest(field, known);
      const near = suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
      return {
        code: "value" as const,
        path: `${algorithm}.${place}`,
        segments: [algorithm, ...place.split(".")],
        message: `found "${field}", which is no field of the spec of ${algorithm}${near}; allowed: ${known.join(", ")}`,
        ...(suggestion === undefined ? {} : { suggestion }),
      };
    });
  if (issues.length > 0) throw new SpecError(issues, `algorithm "${algorithm}"`);
}
