/** Operation records: an operation's gradient, reference evaluation and code for each target in one place. */
import type { Binding } from "./dim.ts";
import type { KernelRequest } from "./lowering/kernelRequest.ts";
import type { Tensor } from "./tensor.ts";
import type { ElementCode } from "./wasm/elementCode.ts";
import type { FunctionBody } from "./wasm/encoder.ts";
import type { WgslFunction } from "./wgsl/wgslFunction.ts";

/** Plain data of a value in the reference evaluator: bool as 0/1, integers wrapped to 32 bits. */
export type Values = Float32Array | Float64Array | Int32Array | Uint32Array;

/**
 * Vector-Jacobian product: given the gradient of the result, the gradients of the inputs
 * (null where an input has none). May build new operations; shapes may still be broadcast.
 */
export type GradientRule = (node: Tensor, gradient: Tensor) => readonly (Tensor | null)[];

/** Context of an operation's reference evaluation. */
export interface Evaluation {
  readonly binding: Binding;
  /** Concrete shapes of inputs and result. */
  readonly shapes: readonly (readonly number[])[];
  readonly outShape: readonly number[];
  /** Allocates zeros in the evaluator's precision for the node's type. */
  readonly alloc: () => Values;
  /** Rounds to f32 unless the evaluator runs in f64. */
  readonly round: (x: number) => number;
}

interface OpBase {
  readonly name: string;
  /** Absent if the operation has no gradient (integers, comparisons); differentiation stops there. */
  readonly gradient?: GradientRule;
  /**
   * Takes much longer than reading a value. The backward pass of a scan reuses such values from the forward
   * pass instead of recomputing them; on wasm, element-wise ones are computed for several vectors side by
   * side.
   */
  readonly costly?: true;
}

/** Computes each element separately, with broadcast operands; every target fuses it with its neighbours. */
export interface ElementwiseOp extends OpBase {
  readonly kind: "elementwise";
  readonly evaluate: (args: readonly number[], node: Tensor) => number;
  /** Leaves the result on the stack; `args` are locals of type v128. */
  readonly wasm: (code: ElementCode, args: readonly number[], node: Tensor) => void;
  /** The result as an expression; `args` are names of values, or literals. */
  readonly wgsl: (args: readonly string[], node: Tensor) => string;
}

/** Reduction of one axis by sum or maximum; its operand's element-wise chain is fused into it. */
export interface ReductionOp extends OpBase {
  readonly kind: "reduction";
}

/** The same bytes under another shape. */
export interface ViewOp extends OpBase {
  readonly kind: "view";
}

/** An operation with its own loops. */
export interface KernelOp extends OpBase {
  readonly kind: "kernel";
  readonly evaluate: (inputs: readonly Values[], node: Tensor, e: Evaluation) => Values;
  /** Requests the kernels, with their arguments. */
  readonly wasm: (node: Tensor, request: KernelRequest<FunctionBody>) => void;
  readonly wgsl: (node: Tensor, request: KernelRequest<WgslFunction>) => void;
}

/** Values that are not computed: state reads, scan parameters, scan results. */
export interface SourceOp extends OpBase {
  readonly kind: "source";
}

/** Writes to state, in program order. */
export interface EffectOp extends OpBase {
  readonly kind: "effect";
}

/** A counted loop with carried values (see scan.ts). */
export interface ScanOp extends OpBase {
  readonly kind: "scan";
}

export type Op = ElementwiseOp | ReductionOp | ViewOp | KernelOp | SourceOp | EffectOp | ScanOp;
