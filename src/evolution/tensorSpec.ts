/** Descriptions of a network's tensors, shared by programs, initialisation and resizing. */
import { addDims, type Dim, type Shape, sym } from "../kernels/functions.ts";

/**
 * Positions along an axis that belong together: the units of a layer, the actions of a critic's input.
 * An axis is a list of segments. Resizing aligns segments by label, so that positions after a growing segment
 * keep their meaning.
 */
export interface Segment {
  readonly label: string;
  /** Positions, >= 1. */
  readonly size: number;
  /** Name of the dimension in a program, without the network's prefix; null if programs use the number. */
  readonly symbol: string | null;
}

/** One axis of a tensor. */
export type Axis = readonly Segment[];

/** How a tensor is initialised. `gain`, `bound` and `value` scale as in torch.nn.init. */
export type Init =
  | { readonly kind: "orthogonal"; readonly gain: number }
  | { readonly kind: "uniform"; readonly bound: number }
  | { readonly kind: "constant"; readonly value: number }
  /**
   * Ones where the last axis' position equals the flattened position of the others: an identity matrix (in
   * convolutions, at the kernel's first element).
   */
  | { readonly kind: "identity" };

export interface TensorSpec {
  /** Name within its network, e.g. "encoder.linear_1.weight". */
  readonly name: string;
  /** Weights have their outputs on the last axis and their inputs before it. */
  readonly axes: readonly Axis[];
  readonly init: Init;
  /** Initialisation when the tensor is added to a trained network (default: `init`). */
  readonly added?: Init;
  /** Parameter mutation adds noise to `weight` and `log_std`; `kernel` is a convolution's, `recurrent` an LSTM's. */
  readonly role: "weight" | "kernel" | "recurrent" | "bias" | "norm" | "activation" | "log_std";
  /** Axes of the incoming values; new positions along them start at zero (default: none). */
  readonly inputAxes?: readonly number[];
  /**
   * For each axis of the tensor in files, the axes here that it combines, outermost first (default: the same
   * axes).
   */
  readonly fileAxes?: readonly (readonly number[])[];
}

export const axisSize = (axis: Axis): number => axis.reduce((sum, s) => sum + s.size, 0);

/** Number of elements along each axis. */
export const tensorShape = (spec: TensorSpec): number[] => spec.axes.map(axisSize);

export const tensorSize = (spec: TensorSpec): number => tensorShape(spec).reduce((a, b) => a * b, 1);

/** Shape in a program, with widths as symbols. `nameOf` returns a symbol's name in the program. */
export const tensorDims = (spec: TensorSpec, nameOf: (symbol: string) => string): Shape =>
  spec.axes.map((axis) =>
    addDims(...axis.map((s): Dim => (s.symbol === null ? s.size : sym(nameOf(s.symbol))))),
  );
