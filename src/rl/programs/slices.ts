/**
 * Slices of a minibatch: parts whose gradients are computed side by side, and the buffers that hold them until they
 * are summed. A program of one slice has its own `SLICE` symbols beside those of its member.
 */
import { type Dim, type Shape, type State, state, sym } from "../../kernels/index.ts";
import type { Algorithm, Networks } from "../algorithms/algorithm.ts";
import { SYMBOLS } from "./inputs.ts";
import { type AgentStructure, type Parameter, trainedBy } from "./learning.ts";
import type { Part } from "./minibatches.ts";

/** Slices of a minibatch. */
export const slices = sym(SYMBOLS.slices);

/** Symbols of one slice: its number from 0 on, its first step or sequence in the minibatch, and how many it has. */
export const SLICE = { index: "slice", first: "slice_first", size: "slice_size" } as const;

/** The slice that the program computes. */
export const sliceIndex: Dim = sym(SLICE.index);
/** What of every minibatch it has. */
export const slicePart: Part = { first: sym(SLICE.first), size: sym(SLICE.size) };

/** A row for each slice. */
const rows = (name: string, shape: Shape = []): State => state(`slices.${name}`, [slices, ...shape]);

/** A parameter and its gradient in each slice, [slices, ...]. */
export interface SlicedParameter extends Parameter {
  readonly gradients: State;
}

/** What slices leave: each of a learning step's results in each slice. */
export interface SlicedResults {
  /** Number of rows that count, [slices]. */
  readonly weight: State;
  readonly kl: State;
  readonly metrics: Readonly<Record<string, State>>;
  /** By optimiser, for each of its networks. */
  readonly gradients: Readonly<Record<string, readonly (readonly SlicedParameter[])[]>>;
}

export function slicedResults(structure: AgentStructure, networks: Networks): SlicedResults {
  const { algorithm } = structure;
  const sliced = (p: Parameter): SlicedParameter => {
    const { name, shape } = p.parameter.decl;
    return { ...p, gradients: rows(`gradient.${name}`, shape) };
  };
  return {
    weight: rows("weight"),
    kl: rows("kl"),
    metrics: Object.fromEntries(algorithm.metrics.map((name) => [name, rows(`metric.${name}`)])),
    gradients: byOptimizer(algorithm, (name) =>
      trainedBy(structure, networks, name).map((part) => part.map(sliced)),
    ),
  };
}

/** Something of every optimiser. */
export const byOptimizer = <T>(algorithm: Algorithm, of: (name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.keys(algorithm.optimizers).map((name) => [name, of(name)]));
