/**
 * Operations in ONNX: one entry for each that a forward pass or its gradient may have. If all sizes are known, the forms do
 * no i64 arithmetic, for which onnxruntime's GPU provider has no kernels.
 */
import type { Dim } from "../dim.ts";
import { addDims, mulDims } from "../dim.ts";
import type { BitName, OperationName } from "../op.ts";
import { eachPair, type Geometry } from "../ops/patches.ts";
import { epsilonOf } from "../ops/standardize.ts";
import type { DType, Tensor } from "../tensor.ts";
import { ELEMENT_TYPES, type OnnxType } from "./model.ts";
import type { GraphSizes, OnnxGraph } from "./OnnxGraph.ts";

export interface OnnxContext {
  readonly graph: OnnxGraph;
  readonly sizes: GraphSizes;
}

/** Adds the nodes that compute the value from those named `inputs` and returns its name. */
export type OnnxForm = (node: Tensor, inputs: readonly string[], context: OnnxContext) => string;

/** @throws TypeError for u32, for which onnxruntime has hardly any operators. */
export function onnxType(dtype: DType): OnnxType {
  if (dtype !== "u32") return dtype;
  throw new TypeError("ONNX export: found a value of type u32, allowed f32, i32 and bool");
}

/** An operator with the operation's own operands. */
const operator =
  (name: string): OnnxForm =>
  (_node, inputs, { graph }) =>
    graph.node(name, inputs);

/** The first operand, unchanged. */
const passed: OnnxForm = (_node, [x]) => x as string;

const reduced =
  (name: string): OnnxForm =>
  (node, inputs, { graph }) =>
    graph.node(name, [...inputs, graph.constant("i64", [node.attrs.axis as number])], { keepdims: 0 });

/** Mean over the last axis, kept with length 1. */
const rowMean = (x: string, graph: OnnxGraph): string =>
  graph.node("ReduceMean", [x, graph.constant("i64", [-1])], { keepdims: 1 });

/** 0 .. count-1 as i32. */
function upTo(count: Dim, graph: OnnxGraph, sizes: GraphSizes): string {
  const limit = sizes.scalar(count, "i32");
  return graph.node("Range", [graph.scalar("i32", 0), limit, graph.scalar("i32", 1)]);
}

/** A state's value with the rows at `index` replaced. ScatterElements, since ScatterND needs an i64 index. */
export const replacedRows: OnnxForm = (effect, [state, index, rows], { graph, sizes }) => {
  const { shape } = effect.inputs[1] as Tensor;
  const [count] = shape as [Dim];
  let places = index as string;
  if (shape.length > 1) {
    const column = sizes.reshaped(shape.map((_, d) => (d === 0 ? count : 1)));
    places = graph.node("Expand", [graph.node("Reshape", [places, column]), sizes.vector(shape)]);
  }
  return graph.node("ScatterElements", [state as string, places, rows as string], { axis: 0 });
};

/** Operations that cannot be exported: on bits, of random orders and packed numbers; and two that only gradients have. */
type WithoutForm =
  | BitName
  | "bits"
  | "foldPatches"
  | "gate"
  | "halvesMatmul"
  | "int8Matmul"
  | "packBytes"
  | "permutation"
  | "unpackBytes"
  | "unpackHalves"
  | "unpackInt8";

export const ONNX_FORMS: Readonly<Record<string, OnnxForm>> = {
  add: operator("Add"),
  sub: operator("Sub"),
  mul: operator("Mul"),
  div: operator("Div"),
  minimum: operator("Min"),
  maximum: operator("Max"),
  neg: operator("Neg"),
  abs: operator("Abs"),
  sqrt: operator("Sqrt"),
  floor: operator("Floor"),
  exp: operator("Exp"),
  log: operator("Log"),
  sin: operator("Sin"),
  cos: operator("Cos"),
  tanh: operator("Tanh"),
  relu: operator("Relu"),

  less: operator("Less"),
  lessEqual: operator("LessOrEqual"),
  greater: operator("Greater"),
  greaterEqual: operator("GreaterOrEqual"),
  equal: operator("Equal"),
  and: operator("And"),
  or: operator("Or"),
  not: operator("Not"),
  select: (node, inputs, { graph }) => {
    if (node.dtype !== "bool") return graph.node("Where", inputs);
    // onnxruntime's Where does not support bools.
    const [condition, a, b] = inputs as [string, string, string];
    const others = graph.node("And", [graph.node("Not", [condition]), b]);
    return graph.node("Or", [graph.node("And", [condition, a]), others]);
  },
  cast: (node, inputs, { graph }) => graph.node("Cast", inputs, { to: ELEMENT_TYPES[onnxType(node.dtype)] }),

  constant: (node, _inputs, { graph, sizes }) => {
    const scalar = graph.scalar(onnxType(node.dtype), node.attrs.value as number);
    return node.rank === 0 ? scalar : graph.node("Expand", [scalar, sizes.vector(node.shape)]);
  },
  broadcast: (node, [x], { graph, sizes }) => graph.node("Expand", [x as string, sizes.vector(node.shape)]),
  dimValue: (node, _inputs, { sizes }) =>
    sizes.scalar(node.attrs.dim as Dim, node.dtype === "f32" ? "f32" : "i32"),
  iota: (node, _inputs, { graph, sizes }) => upTo(node.shape[0] as Dim, graph, sizes),

  reshape: (node, [x], { sizes }) => sizes.reshape(x as string, node.shape),
  stopGradient: passed,
  elu: passed,
  gelu: passed,
  transpose: (_node, inputs, { graph }) => graph.node("Transpose", inputs, { perm: [1, 0] }),
  permute: (node, inputs, { graph }) =>
    graph.node("Transpose", inputs, { perm: node.attrs.axes as number[] }),
  concat: (_node, inputs, { graph }) => graph.node("Concat", inputs, { axis: -1 }),
  slice: (node, [x], { graph, sizes }) => {
    const start = node.attrs.start as Dim;
    const end = addDims(start, node.shape.at(-1) as Dim);
    const axis = graph.constant("i64", [-1]);
    return graph.node("Slice", [x as string, sizes.vector([start]), sizes.vector([end]), axis]);
  },
  // Multiplies the rows by a matrix that has a 1 where each row belongs.
  sumRowsAt: (node, [x, index], { graph, sizes }) => {
    const [places, ...rest] = node.shape as [Dim, ...Dim[]];
    const rows = node.inputs[1]?.shape[0] as Dim;
    const column = graph.node("Reshape", [index as string, sizes.reshaped([rows, 1])]);
    const hits = graph.node("Equal", [column, upTo(places, graph, sizes)]);
    const ones = graph.node("Cast", [hits], { to: ELEMENT_TYPES.f32 });
    const flat = graph.node("Reshape", [x as string, sizes.reshaped([rows, mulDims(...rest)])]);
    const sums = graph.node("Gemm", [ones, flat], { transA: 1 });
    return graph.node("Reshape", [sums, sizes.reshaped(node.shape)]);
  },
  takeRows: (_node, inputs, { graph }) => graph.node("Gather", inputs, { axis: 0 }),
  patches: (node, [x], { graph, sizes }) => {
    const geometry = node.attrs as Geometry;
    const [images, channels] = [node.inputs[0]?.shape[0] as Dim, node.inputs[0]?.shape.at(-1) as Dim];
    const positions: number[] = [];
    eachPair(geometry, 1, 1, (inPatches, inImage) => {
      positions[inPatches] = inImage;
    });
    // An image's elements as rows of channels, gathered window by window.
    const flat = sizes.reshaped([images, mulDims(...geometry.image), channels]);
    const rows = graph.node("Reshape", [x as string, flat]);
    const windows = graph.node("Gather", [rows, graph.constant("i64", positions)], { axis: 1 });
    return graph.node("Reshape", [windows, sizes.reshaped(node.shape)]);
  },

  matmul: (node, inputs, { graph }) =>
    graph.node("Gemm", inputs, {
      transA: node.attrs.transposeA ? 1 : 0,
      transB: node.attrs.transposeB ? 1 : 0,
    }),
  batchMatmul: (node, [a, b], { graph }) => {
    const turned = (name: string) => graph.node("Transpose", [name], { perm: [0, 2, 1] });
    const { transposeA, transposeB } = node.attrs;
    return graph.node("MatMul", [
      transposeA ? turned(a as string) : (a as string),
      transposeB ? turned(b as string) : (b as string),
    ]);
  },
  sum: reduced("ReduceSum"),
  max: reduced("ReduceMax"),
  cumulativeSum: (node, [x], { graph }) =>
    graph.node("CumSum", [x as string, graph.scalar("i32", -1)], { reverse: node.attrs.reverse ? 1 : 0 }),
  argmax: (_node, inputs, { graph }) =>
    graph.node("Cast", [graph.node("ArgMax", inputs, { axis: -1, keepdims: 0 })], { to: ELEMENT_TYPES.i32 }),
  rowMean: (_node, [x], { graph }) => rowMean(x as string, graph),
  rowScale: (node, [x, mean], { graph }) => {
    const centred = graph.node("Sub", [x as string, mean as string]);
    const variance = rowMean(graph.node("Mul", [centred, centred]), graph);
    const deviation = graph.node("Sqrt", [
      graph.node("Add", [variance, graph.scalar("f32", epsilonOf(node))]),
    ]);
    return graph.node("Div", [graph.scalar("f32", 1), deviation]);
  },
  standardize: operator("Mul"),
} satisfies Readonly<Record<Exclude<OperationName, WithoutForm>, OnnxForm>>;
