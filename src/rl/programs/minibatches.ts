/**
 * Minibatches of a roll-out: its steps one by one, or sequences of steps for networks with memory.
 *
 * Sequences start at every `stride`-th step of a lane and have `sequence` steps; those that would go past the
 * roll-out's end are shorter. An episode's end may lie in one: there the memory starts anew, so that no gradient
 * crosses it, which is the same as cutting there.
 */
import type { Dim, Tensor } from "../../kernels/index.ts";
import {
  add,
  and,
  cast,
  constant,
  dimValue,
  greater,
  iota,
  less,
  lessEqual,
  maximum,
  minimum,
  mul,
  mulDims,
  reshape,
  select,
  sub,
  sym,
  takeRows,
} from "../../kernels/index.ts";
import type { Algorithm, Latents, Networks } from "../algorithms/algorithm.ts";
import { SYMBOLS } from "./inputs.ts";
import { lanes } from "./lanes.ts";
import { encodeSequences, encodeStep, mapMemory } from "./memory.ts";
import { flat, type Rollout, samples } from "./rollout.ts";

/** Minibatches of an epoch. */
export const minibatches = sym("minibatches");
/** Steps or sequences in a minibatch. */
const batch = sym(SYMBOLS.batch);
/** Steps of a sequence. */
const sequence = sym("sequence");
/** Sequences that start in each lane. */
const sequences = sym("sequences");
/** Steps from one sequence's start to the next one's. */
const stride = sym("stride");

/** A minibatch: which rows of the roll-out it has. */
export interface Minibatch {
  /** i32 [rows], into [horizon num_envs]. */
  readonly index: Tensor;
  /** 1 for rows that count, [rows]. */
  readonly weight: Tensor;
  readonly encode: (networks: Networks) => Latents;
}

/** How a roll-out is cut into what epochs shuffle. */
export interface Cut {
  /** Number of pieces. */
  readonly pieces: Dim;
  /** The minibatch of the given pieces, i32 [batch]; `counts` (bool [batch]) is false where it is filled up. */
  readonly minibatch: (piece: Tensor, counts: Tensor) => Minibatch;
}

/** Where minibatch `m` lies in a shuffled order of pieces. */
export function pieceAt(order: Tensor, m: Tensor): { readonly piece: Tensor; readonly counts: Tensor } {
  const pieces = dimValue(order.shape[0] as Dim, "i32");
  const position = add(mul(m, dimValue(batch, "i32")), iota(batch));
  return {
    piece: takeRows(order, minimum(position, sub(pieces, 1))),
    counts: less(position, pieces),
  };
}

/** Network inputs [n, inputs] of rows of a roll-out, i32 [n]. */
type InputsAt = (index: Tensor) => Tensor;

export const cutRollout = (algorithm: Algorithm, rollout: Rollout, inputsAt: InputsAt): Cut =>
  Object.keys(rollout.memory).length === 0
    ? steps(algorithm, inputsAt)
    : sequencesOf(algorithm, rollout, inputsAt);

const steps = (algorithm: Algorithm, inputsAt: InputsAt): Cut => ({
  pieces: samples,
  minibatch: (index, counts) => ({
    index,
    weight: cast(counts, "f32"),
    encode: (networks) => encodeStep(algorithm, networks, inputsAt(index)).latents,
  }),
});

function sequencesOf(algorithm: Algorithm, rollout: Rollout, inputsAt: InputsAt): Cut {
  const pieces = mulDims(sequences, lanes);
  const [width, last] = [dimValue(lanes, "i32"), sub(dimValue(samples, "i32"), 1)];
  /** The row of each piece's first step. */
  const first = reshape(
    add(
      reshape(mul(iota(sequences), mul(dimValue(stride, "i32"), width)), [sequences, 1]),
      reshape(iota(lanes), [1, lanes]),
    ),
    [pieces],
  );
  const memory = mapMemory(rollout.memory, flat);
  const going = sub(1, flat(rollout.done));
  const time = reshape(iota(sequence), [sequence, 1]);
  return {
    pieces,
    minibatch: (piece, counts) => {
      const start = takeRows(first, piece);
      const place = add(reshape(start, [1, batch]), mul(time, width));
      const inside = and(lessEqual(place, last), reshape(counts, [1, batch]));
      const rows = mulDims(sequence, batch);
      const index = reshape(minimum(place, last), [rows]);
      const before = reshape(maximum(sub(minimum(place, last), width), constant(0, "i32")), [rows]);
      const went = reshape(takeRows(going, before), [sequence, batch]);
      return {
        index,
        weight: cast(reshape(inside, [rows]), "f32"),
        encode: (networks) => {
          const obs = inputsAt(index);
          return encodeSequences(algorithm, networks, {
            obs: reshape(obs, [sequence, batch, obs.shape[1] as Dim]),
            memory: mapMemory(memory, (values) => takeRows(values, start)),
            keep: select(greater(time, 0), went, 1),
          });
        },
      };
    },
  };
}
