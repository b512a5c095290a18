/** Scalars that the host sets and programs read: hyperparameters, random keys, counters. */
import { boxMuller, type Lanes, type RandomKey, randomUniform } from "../../kernels/functions.ts";
import { state, type Tensor } from "../../kernels/index.ts";

/** Symbols that every program of a member may use. */
export const SYMBOLS = {
  num_envs: "num_envs",
  batch: "batch",
  population: "population",
  capacity: "capacity",
  priority_fan: "priority_fan",
  slices: "slices",
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
export const STREAMS = {
  explore: 0,
  reset: 1,
  dynamics: 2,
  sample: 3,
  shuffle: 4,
  evaluate: 5,
  noise: 6,
} as const;
/** Distance between the streams of one purpose, which needs a further stream for every four vectors. */
export const STREAM_STRIDE = 16;

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
