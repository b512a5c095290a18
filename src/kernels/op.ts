/**
 * Operation records: an operation's name, gradient and reference evaluation. Targets have tables of their forms by name
 * (`wasm/elementForms.ts`, `wasm/kernelForms.ts` and the same of `wgsl`, `onnx/operations.ts`), so a name
 * that lacks a form does not compile.
 */
import type { Binding } from "./dim.ts";
import type { Tensor } from "./tensor.ts";

type Arithmetic = "abs" | "add" | "div" | "floor" | "maximum" | "minimum" | "mul" | "neg" | "sqrt" | "sub";
type Comparison = "equal" | "greater" | "greaterEqual" | "less" | "lessEqual";
type Curve = "cos" | "elu" | "exp" | "gate" | "gelu" | "log" | "relu" | "sin" | "standardize" | "tanh";
export type BitName = "bitAnd" | "bitOr" | "bitXor" | "shiftLeft" | "shiftRight";
type OfAnyType = "and" | "broadcast" | "cast" | "constant" | "not" | "or" | "select";
/** Names of operations on single elements. */
export type ElementwiseName = Arithmetic | Comparison | Curve | BitName | OfAnyType;

type Indexing = "argmax" | "dimValue" | "iota" | "permutation" | "sumRowsAt" | "takeRows";
type Move = "concat" | "foldPatches" | "patches" | "permute" | "slice" | "transpose";
type Packing = "packBytes" | "unpackBytes" | "unpackHalves" | "unpackInt8";
type OverRows =
  | "batchMatmul"
  | "cumulativeSum"
  | "halvesMatmul"
  | "int8Matmul"
  | "matmul"
  | "rowMean"
  | "rowScale";
/** Names of operations with loops of their own. */
export type KernelName = Indexing | Move | OverRows | Packing;

/** Names of operations that compute something. */
export type OperationName = ElementwiseName | KernelName | ReductionOp["name"] | ViewOp["name"];

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
  /** The same with values by their index. */
  readonly fill: (valueAt: (index: number) => number) => Values;
  /** Rounds to f32 unless the evaluator runs in f64. */
  readonly round: (x: number) => number;
}

interface OpBase {
  /** Absent if the operation has no gradient (integers, comparisons); differentiation stops there. */
  readonly gradient?: GradientRule;
  /**
   * Takes much longer than reading a value. The backward pass of a scan reuses such values from the forward
   * pass instead of recomputing them; on wasm, element-wise ones are computed for several vectors side by
   * side.
   */
  readonly costly?: true;
}

/** What an element-wise operation is applied to: as many as it has inputs. */
export type Operands<T> = readonly [a: T, b: T, c: T];

/** Computes each element separately, with broadcast operands; every target fuses it with its neighbours. */
export interface ElementwiseOp extends OpBase {
  readonly kind: "elementwise";
  readonly name: ElementwiseName;
  readonly evaluate: (args: Operands<number>, node: Tensor) => number;
}

/** Reduction of one axis by sum or maximum; its operand's element-wise chain is fused into it. */
export interface ReductionOp extends OpBase {
  readonly kind: "reduction";
  readonly name: "max" | "sum";
  /** The reduction of no values. */
  readonly start: number;
  readonly combine: (total: number, value: number) => number;
}

/** The same bytes under another shape. */
export interface ViewOp extends OpBase {
  readonly kind: "view";
  readonly name: "bits" | "reshape" | "stopGradient";
}

/** An operation with its own loops. */
export interface KernelOp extends OpBase {
  readonly kind: "kernel";
  readonly name: KernelName;
  readonly evaluate: (inputs: readonly Values[], node: Tensor, e: Evaluation) => Values;
}

/** Values that are not computed: state reads, scan parameters, scan results. */
export interface SourceOp extends OpBase {
  readonly kind: "source";
  readonly name: "parameter" | "read" | "scanResult";
}

/** Writes to state, in program order. */
export interface EffectOp extends OpBase {
  readonly kind: "effect";
  readonly name: "write" | "writeRows";
}

/** A counted loop with carried values (see scan.ts). */
export interface ScanOp extends OpBase {
  readonly kind: "scan";
  readonly name: "scan";
}

export type Op = ElementwiseOp | ReductionOp | ViewOp | KernelOp | SourceOp | EffectOp | ScanOp;
