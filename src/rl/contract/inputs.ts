/**
 * What the host sets and programs read: hyperparameters, which are the fields of an algorithm's spec and to which its
 * definition refers by name; counters, random keys; and the random numbers of learning steps, for batches and for noisy
 * weights.
 */

import type { z } from "zod";
import {
  boxMuller,
  type Lanes,
  type RandomKey,
  randomNormal,
  randomUniform,
} from "../../kernels/functions.ts";
import { state, type Tensor } from "../../kernels/index.ts";
import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import { SpecError } from "../../specs/checks.ts";
import { nearest } from "../../specs/messages.ts";
import type { ForwardContext } from "../modules/moduleDefinition.ts";

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
    Record<
      string,
      { readonly lr: string; readonly weight_decay?: string; readonly max_grad_norm?: string | number }
    >
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
    ...Object.entries(optimizers).flatMap(([optimizer, { lr, weight_decay, max_grad_norm }]) => [
      [`optimizers.${optimizer}.lr`, lr],
      [`optimizers.${optimizer}.weight_decay`, weight_decay],
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

/** Symbols that every program of a member may use. @internal */
export const SYMBOLS = {
  num_envs: "num_envs",
  batch: "batch",
  population: "population",
  capacity: "capacity",
  priority_fan: "priority_fan",
  slices: "slices",
  episode_cells: "episode_cells",
  directions: "directions",
  episodes: "episodes",
} as const;

const HYPERPARAMETER = "hp.";
/** Name of the buffer that holds a hyperparameter. */
export const hyperparameterName = (name: string): string => `${HYPERPARAMETER}${name}`;
/** The hyperparameters among names of buffers. */
export const hyperparametersIn = (buffers: Iterable<string>): string[] =>
  [...buffers].flatMap((name) =>
    name.startsWith(HYPERPARAMETER) ? [name.slice(HYPERPARAMETER.length)] : [],
  );

/** A hyperparameter as an f32 scalar. `hyperparameter<NumberIn<SACSpec>>` only takes names of that spec. */
export const hyperparameter = <Name extends string = string>(name: Name): Tensor =>
  state(hyperparameterName(name)).read();

/** A hyperparameter that counts something, as an i32 scalar. */
export const countHyperparameter = <Name extends string = string>(name: Name): Tensor =>
  state(hyperparameterName(name), [], { dtype: "i32" }).read();

/** Random streams of a program: one number per purpose, so that no two purposes share random bits. */
const STREAMS = {
  explore: 0,
  reset: 1,
  dynamics: 2,
  sample: 3,
  shuffle: 4,
  evaluate: 5,
  noise: 6,
  perturb: 7,
  symmetry: 8,
  goal: 9,
} as const;
/** Distance between the streams of one purpose, which needs a further stream for every four vectors. */
const STREAM_STRIDE = 16;

/** The random key of the current turn, at the given step. */
export function randomKey(stream: keyof typeof STREAMS, step: Tensor): RandomKey {
  const key = [0, 1].map((i) => state(`key.${i}`, [], { dtype: "u32" }).read()) as [Tensor, Tensor];
  return { key, stream: STREAMS[stream], step };
}

/** Draws `count` independent vectors of uniform numbers in [0, 1). */
export function uniforms(stream: keyof typeof STREAMS, step: Tensor, lanes: Lanes, count: number): Tensor[] {
  const key = randomKey(stream, step);
  const groups = Array.from({ length: Math.ceil(count / 4) }, (_, group) =>
    randomUniform({ ...key, stream: key.stream + group * STREAM_STRIDE }, lanes),
  );
  return groups.flat().slice(0, count);
}

/** Draws `count` independent vectors of standard normal numbers. */
export const normals = (draws: (count: number) => readonly Tensor[], count: number): Tensor[] =>
  boxMuller(draws(count + (count % 2))).slice(0, count);

/** Name of the counter of learning steps since counters were last set to zero. */
export const LEARNED = "learned";

/** An i32 scalar that persists between program runs. */
export const counter = (name: string) => state(`counter.${name}`, [], { dtype: "i32" });

/** `count` vectors of normal numbers, one number per batch row (u32 [n]), new in each learning step. */
export const learningNormals = (row: Tensor, count: number): Tensor[] =>
  normals((many) => uniforms("noise", counter(LEARNED).read(), row, many), count);

/**
 * Vectors of uniform numbers in [0, 1), one number per row of the batch (u32 [n]), new in each learning step.
 * @param first Index of the first vector. Different uses in a learning step must not overlap.
 */
export const learningUniforms = (row: Tensor, first: number, count: number): Tensor[] =>
  uniforms("noise", counter(LEARNED).read(), row, first + count).slice(first);

/**
 * Standard normal numbers of an iteration of an evolution strategy.
 * @param iteration i32 scalar.
 * @param index Number of the vector: different uses in an iteration must not share one.
 * @internal
 */
export function perturbationNormals(iteration: Tensor, index: number, lanes: Lanes): Tensor {
  const key = randomKey("perturb", iteration);
  const [made] = randomNormal({ ...key, stream: key.stream + STREAM_STRIDE * index }, lanes) as [Tensor];
  return made;
}

/** Upper bound of the number of noisy layer sides in one network. */
const SIDES = 64;

/**
 * Noise of a network's weights: the same for all rows and all forward passes until the next learning step.
 * @param network Index of the network in its agent: each network has its own noise.
 */
export function weightNoise(network: number): NonNullable<ForwardContext["noise"]> {
  const key = randomKey("noise", counter(LEARNED).read());
  const known = new Map<string, Tensor>();
  return (layer, side, size) => {
    const name = `${layer}/${side}`;
    const before = known.get(name);
    if (before) return before;
    const stream = key.stream + STREAM_STRIDE * (network * SIDES + known.size);
    const [made] = randomNormal({ ...key, stream }, size) as [Tensor];
    known.set(name, made);
    return made;
  };
}
