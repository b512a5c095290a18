/** Scalars that the host sets and programs read: hyperparameters, random keys, counters. */
import type { RandomKey } from "../../kernels/functions/random.ts";
import { state, type Tensor } from "../../kernels/index.ts";

/** Symbols that every program of a member may use. */
export const SYMBOLS = {
  num_envs: "num_envs",
  batch: "batch",
  population: "population",
  capacity: "capacity",
} as const;

/** Name of the buffer that holds a hyperparameter. */
export const hyperparameterName = (name: string): string => `hp.${name}`;

/** A hyperparameter as an f32 scalar. */
export const hyperparameter = (name: string): Tensor => state(hyperparameterName(name)).read();

/** A hyperparameter that counts something, as an i32 scalar. */
export const count = (name: string): Tensor => state(hyperparameterName(name), [], { dtype: "i32" }).read();

/** Draws of a program; each purpose has a number of its own so that no two ever share bits. */
export const STREAMS = {
  explore: 0,
  reset: 1,
  resetMore: 2,
  sample: 3,
  shuffle: 4,
  evaluate: 5,
  evaluateMore: 6,
} as const;

/** The random key of the turn under way, at a step of the given counter. */
export function randomKey(stream: keyof typeof STREAMS, step: Tensor): RandomKey {
  const key = [0, 1].map((i) => state(`key.${i}`, [], { dtype: "u32" }).read()) as [Tensor, Tensor];
  return { key, stream: STREAMS[stream], step };
}

/** An i32 scalar that lives on between runs of programs. */
export const counter = (name: string) => state(`counter.${name}`, [], { dtype: "i32" });
