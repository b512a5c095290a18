/**
 * Minibatches of a rollout: single steps, or sequences of steps for recurrent networks.
 *
 * Sequences start at every `stride`-th step of a lane and have `sequence` steps; those that would pass the
 * rollout's end are shorter. An episode may end inside a sequence. The recurrent state is reset there, so no
 * gradient crosses the boundary, which is equivalent to cutting the sequence.
 */
import {
  add,
  and,
  cast,
  constant,
  type Dim,
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
  type Tensor,
  takeRows,
} from "../../kernels/index.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { Latents, Networks } from "../contract/network.ts";
import type { Algorithm } from "../contract/onPolicy.ts";
import type { AgentSpaces } from "../spaces.ts";
import { lanes } from "./lanes.ts";
import { encodeSequences, encodeStep, type Memory, mapMemory } from "./memory.ts";
import { samples } from "./rollout.ts";
import { learntForms } from "./symmetries.ts";

/** Minibatches per epoch. */
export const minibatches = sym("minibatches");
/** Steps or sequences per minibatch. */
export const batch = sym(SYMBOLS.batch);
/** Steps per sequence. */
const sequence = sym("sequence");
/** Sequences that start in each lane. */
const sequences = sym("sequences");
/** Steps between the starts of consecutive sequences. */
const stride = sym("stride");

/** A minibatch: the rows of the rollout that it contains. */
export interface Minibatch {
  /** i32 [rows], into [horizon num_envs]. */
  readonly index: Tensor;
  /** 1 for rows that count, 0 for padding, [rows]. */
  readonly weight: Tensor;
  readonly encode: (networks: Networks) => Latents;
}

/** How a rollout is cut into the pieces that epochs shuffle. */
export interface Cut {
  /** Number of pieces. */
  readonly pieces: Dim;
  /** A minibatch, or a part of one. */
  readonly minibatch: (pieces: Pieces) => Minibatch;
}

/** A part of every minibatch: `size` of its steps or sequences, starting at `first`. */
export interface Part {
  readonly first: Dim;
  readonly size: Dim;
}
const WHOLE: Part = { first: 0, size: batch };

/** Pieces of a minibatch, i32 [n], and whether each counts or is padding, bool [n]. */
export interface Pieces {
  readonly piece: Tensor;
  readonly counts: Tensor;
}

/** Where minibatch `m`, or a part of it, starts in a shuffled order of pieces. */
export function firstPosition(m: Tensor, { first }: Part = WHOLE): Tensor {
  const start = mul(m, dimValue(batch, "i32"));
  return first === 0 ? start : add(start, dimValue(first, "i32"));
}

/** The pieces of minibatch `m`, or of a part of it, in a shuffled order. */
export function pieceAt(order: Tensor, m: Tensor, part: Part = WHOLE): Pieces {
  const pieces = dimValue(order.shape[0] as Dim, "i32");
  const position = add(firstPosition(m, part), iota(part.size));
  return {
    piece: takeRows(order, minimum(position, sub(pieces, 1))),
    counts: less(position, pieces),
  };
}

/** The columns of a rollout that minibatches are encoded from, with a row for each environment step. */
export interface Encodable {
  /** Network inputs of rows i32 [n], [n, inputs]. */
  readonly inputs: (rows: Tensor) => Tensor;
  readonly done: Tensor;
  /** Recurrent state before each step; empty for networks without it. */
  readonly memory: Memory;
}

/** Pieces of a rollout: sequences for recurrent networks, else steps. */
export const piecesOf = (isRecurrent: boolean): Dim => (isRecurrent ? mulDims(sequences, lanes) : samples);

export const cutRollout = (algorithm: Algorithm, spaces: AgentSpaces, rows: Encodable): Cut =>
  Object.keys(rows.memory).length === 0 ? steps(algorithm, spaces, rows) : sequencesOf(algorithm, rows);

const steps = (algorithm: Algorithm, spaces: AgentSpaces, { inputs }: Encodable): Cut => ({
  pieces: piecesOf(false),
  minibatch: ({ piece, counts }) => ({
    index: piece,
    weight: cast(counts, "f32"),
    encode: (networks) => {
      const obs = learntForms(spaces, cast(piece, "u32")).observation(inputs(piece));
      return encodeStep(algorithm, networks, obs, spaces).latents;
    },
  }),
});

function sequencesOf(algorithm: Algorithm, { inputs, done, memory }: Encodable): Cut {
  const pieces = piecesOf(true);
  const [width, last] = [dimValue(lanes, "i32"), sub(dimValue(samples, "i32"), 1)];
  /** The row of each piece's first step. */
  const first = reshape(
    add(
      reshape(mul(iota(sequences), mul(dimValue(stride, "i32"), width)), [sequences, 1]),
      reshape(iota(lanes), [1, lanes]),
    ),
    [pieces],
  );
  const going = sub(1, done);
  const time = reshape(iota(sequence), [sequence, 1]);
  return {
    pieces,
    minibatch: ({ piece, counts }) => {
      const n = piece.shape[0] as Dim;
      const start = takeRows(first, piece);
      const place = add(reshape(start, [1, n]), mul(time, width));
      const inside = and(lessEqual(place, last), reshape(counts, [1, n]));
      const rows = mulDims(sequence, n);
      const index = reshape(minimum(place, last), [rows]);
      const before = reshape(maximum(sub(minimum(place, last), width), constant(0, "i32")), [rows]);
      const went = reshape(takeRows(going, before), [sequence, n]);
      return {
        index,
        weight: cast(reshape(inside, [rows]), "f32"),
        encode: (networks) => {
          const obs = inputs(index);
          return encodeSequences(algorithm, networks, {
            obs: reshape(obs, [sequence, n, obs.shape[1] as Dim]),
            memory: mapMemory(memory, (values) => takeRows(values, start)),
            keep: select(greater(time, 0), went, 1),
          });
        },
      };
    },
  };
}
