/** Calls of kernels that are the same on every target: a target only writes the kernel's code. */
import type { Dim } from "../dim.ts";
import { addDims, sizeOf } from "../dim.ts";
import { type Geometry, placesOf } from "../ops/patches.ts";
import type { Tensor } from "../tensor.ts";
import { dimArg, input, type KernelArg, type KernelForm, output } from "./kernelRequest.ts";

/** A kernel's name, with its variant, and its arguments. */
type KernelCall = readonly [name: string, ...args: KernelArg[]];

const sizesOf = (...dims: readonly (Dim | undefined)[]): KernelArg[] => dims.map((dim) => dimArg(dim as Dim));
/** The number of rows along the last axis, and their length. */
const rowsOf = ({ shape }: Tensor): KernelArg[] => sizesOf(sizeOf(shape.slice(0, -1)), shape.at(-1));
const first = (node: Tensor): Tensor => node.inputs[0] as Tensor;

/** Copies columns from one row-major matrix into another: (to, from, rows, width, widths, first columns). */
const stridedCopy = (
  from: number,
  x: Tensor,
  node: Tensor,
  width: Dim,
  starts: readonly [Dim, Dim],
): KernelCall => [
  "stridedCopy",
  output,
  input(from),
  ...sizesOf(sizeOf(x.shape.slice(0, -1)), width, node.shape.at(-1), x.shape.at(-1), ...starts),
];

function concatCopies(node: Tensor): KernelCall[] {
  let start: Dim = 0;
  return node.inputs.map((x, k) => {
    const width = x.shape.at(-1) as Dim;
    const copy = stridedCopy(k, x, node, width, [start, 0]);
    start = addDims(start, width);
    return copy;
  });
}

/** `image`: the input or result that is the image. Arguments end with length, places, size and stride of each axis. */
function patchesCall(node: Tensor, { shape }: Tensor): KernelCall {
  const geometry = node.attrs as Geometry;
  const { image, size, stride } = geometry;
  const places = placesOf(geometry);
  const axes = image.flatMap((length, d) => [length, places[d] ?? 0, size[d] ?? 0, stride[d] ?? 0]);
  return [`${node.op.name} ${image.length}`, output, input(0), ...sizesOf(shape[0], shape.at(-1), ...axes)];
}

const unpackedNumbers = (node: Tensor): readonly KernelCall[] => [
  [node.op.name, output, input(0), ...sizesOf(sizeOf(node.shape))],
];

const CALLS = {
  argmax: (node) => [["argmax", output, input(0), ...rowsOf(first(node))]],
  concat: concatCopies,
  cumulativeSum: (node) => [
    [`cumulativeSum${node.attrs.reverse ? " reverse" : ""}`, output, input(0), ...rowsOf(node)],
  ],
  dimValue: (node) => [[`dimValue ${node.dtype}`, output, dimArg(node.attrs.dim as Dim)]],
  foldPatches: (node) => [patchesCall(node, node)],
  iota: (node) => [["iota", output, ...sizesOf(node.shape[0])]],
  packBytes: (node) => [["packBytes", output, input(0), ...rowsOf(first(node))]],
  patches: (node) => [patchesCall(node, first(node))],
  permutation: (node) => [["permutation", output, ...sizesOf(node.shape[0]), input(0)]],
  rowMean: (node) => [["rowMean", output, input(0), ...rowsOf(first(node))]],
  rowScale: (node) => [
    [
      ["rowScale", ...Object.values(node.attrs)].join(" "),
      output,
      input(0),
      ...rowsOf(first(node)),
      input(1),
    ],
  ],
  slice: (node) => [
    stridedCopy(0, first(node), node, node.shape.at(-1) as Dim, [0, node.attrs.start as Dim]),
  ],
  transpose: (node) => [["transpose", output, input(0), ...sizesOf(...first(node).shape)]],
  unpackBytes: (node) => [["unpackBytes", output, input(0), ...rowsOf(node)]],
  unpackHalves: unpackedNumbers,
  unpackInt8: unpackedNumbers,
} satisfies Readonly<Record<string, (node: Tensor) => readonly KernelCall[]>>;

/** The variant and sizes of a product of matrices, or of many: [.., rows, depth] x [.., depth, columns]. */
export function productOf({ attrs, inputs, shape }: Tensor) {
  const { transposeA, transposeB } = attrs as { transposeA: boolean; transposeB: boolean };
  const [rows, columns] = shape.slice(-2) as [Dim, Dim];
  const depth = inputs[0]?.shape.at(transposeA ? -2 : -1) as Dim;
  return { transposeA, transposeB, rows, columns, depth, sizes: sizesOf(rows, columns, depth) };
}

/** Arguments of takeRows and sumRowsAt: the result, rows, their index, the number of indices, the length of a row. */
export function indexedArgs({ inputs }: Tensor): KernelArg[] {
  const [x, index] = inputs as [Tensor, Tensor];
  return [output, input(0), input(1), ...sizesOf(index.shape[0], sizeOf(x.shape.slice(1)))];
}

/** The form of an operation with such calls. `build` writes the kernel. */
export const called =
  <Body>(operation: keyof typeof CALLS, build: (node: Tensor) => Body): KernelForm<Body> =>
  (node, request) => {
    for (const [name, ...args] of CALLS[operation](node)) request.call(name, args, () => build(node));
  };
