/** Operations with loops of their own in WGSL: one entry for each. */
import { type Dim, mulDims } from "../dim.ts";
import { called, indexedArgs, productOf } from "../lowering/kernelCalls.ts";
import {
  dimArg,
  input,
  type KernelForm,
  type KernelForms,
  output,
  scratch,
  stagedArg,
} from "../lowering/kernelRequest.ts";
import { movesOf } from "../ops/layout.ts";
import { rankOf } from "../ops/patches.ts";
import { ROUNDS } from "../ops/permutation.ts";
import type { Tensor } from "../tensor.ts";
import { batchMatmulWgsl, matmulWgsl, stagedMatmulWgsl } from "./matmul.ts";
import {
  foldWgsl,
  packBytesWgsl,
  patchesWgsl,
  permuteWgsl,
  stridedCopyWgsl,
  transposeWgsl,
  unpackBytesWgsl,
  unpackHalvesWgsl,
  unpackInt8Wgsl,
} from "./moves.ts";
import {
  argmaxWgsl,
  cumulativeSumWgsl,
  rowMeanWgsl,
  rowScaleWgsl,
  sumRowsAtWgsl,
  takeRowsWgsl,
} from "./rows.ts";
import { each, type WgslFunction } from "./wgslFunction.ts";

type Form = KernelForm<WgslFunction>;

const matmul: Form = (node, request) => {
  const { transposeA, transposeB, sizes } = productOf(node);
  const bias = node.inputs.length > 2;
  const args = [output, input(0), input(1), ...sizes, ...(bias ? [input(2)] : [])];
  if (!transposeA && !transposeB && request.isStageable(1)) {
    const weights = stagedArg(1, node.inputs[1] as Tensor);
    request.call(`matmul staged ${bias}`, [...args, weights], () => stagedMatmulWgsl(bias));
    return;
  }
  request.call(`matmul ${transposeA} ${transposeB} ${bias}`, args, () =>
    matmulWgsl({ transposeA, transposeB, bias }),
  );
};

const packedProduct =
  (unpack: "unpackHalves" | "unpackInt8", build: () => WgslFunction): Form =>
  (node, request) => {
    const { transposeB, columns, depth, sizes } = productOf(node);
    const bias = node.inputs.length > 2;
    const count = mulDims(columns, depth);
    const numbers = scratch(count);
    request.prepare(1, unpack, [numbers, input(1), dimArg(count)], build);
    const args = [output, input(0), numbers, ...sizes, ...(bias ? [input(2)] : [])];
    request.call(`matmul false ${transposeB} ${bias}`, args, () =>
      matmulWgsl({ transposeA: false, transposeB, bias }),
    );
  };

const batchMatmul: Form = (node, request) => {
  const { transposeA, transposeB, sizes } = productOf(node);
  const args = [output, input(0), input(1), ...sizes, dimArg(node.shape[0] as Dim)];
  request.call(`batchMatmul ${transposeA} ${transposeB}`, args, () =>
    batchMatmulWgsl({ transposeA, transposeB }),
  );
};

const permute: Form = (node, request) => {
  const { sizes, axes } = movesOf((node.inputs[0] as Tensor).shape, node.attrs.axes as number[]);
  const args = [output, input(0), ...sizes.map(dimArg)];
  request.call(`permute ${axes.join(" ")}`, args, () => permuteWgsl(axes));
};

const dimValueWgsl = ({ dtype }: Tensor): WgslFunction => ({
  parameters: ["out", "value"],
  code: `if (lid == 0) { ${dtype === "f32" ? "storeF(out, f32(value))" : "storeI(out, value)"}; }`,
});

const iotaWgsl = (): WgslFunction => ({
  parameters: ["out", "n"],
  code: each("i", "n", "  storeI(out + i, i);"),
});

const permutationWgsl = (): WgslFunction => ({
  parameters: ["out", "n", "key"],
  code: `let secret = heap[key];
let count = u32(n);
var h = 1u;
while ((1u << (2u * h)) < count) { h++; }
let mask = (1u << h) - 1u;
${each(
  "i",
  "n",
  `  var value = u32(i);
  loop {
    var left = value >> h;
    var right = value & mask;
${ROUNDS.map(
  (constant) => `    {
      var v = right ^ ${constant >>> 0}u ^ secret;
      v = (v ^ (v >> 16u)) * 0x21f0aaadu;
      v = (v ^ (v >> 15u)) * 0x735a2d97u;
      v = (left ^ v ^ (v >> 15u)) & mask;
      left = right;
      right = v;
    }`,
).join("\n")}
    value = (left << h) | right;
    if (value < count) { break; }
  }
  storeI(out + i, i32(value));`,
)}`,
});

export const KERNEL_FORMS: KernelForms<WgslFunction> = {
  argmax: called("argmax", argmaxWgsl),
  batchMatmul,
  concat: called("concat", stridedCopyWgsl),
  cumulativeSum: called("cumulativeSum", ({ attrs }) => cumulativeSumWgsl(attrs.reverse as boolean)),
  dimValue: called("dimValue", dimValueWgsl),
  foldPatches: called("foldPatches", (node) => foldWgsl(rankOf(node))),
  halvesMatmul: packedProduct("unpackHalves", unpackHalvesWgsl),
  int8Matmul: packedProduct("unpackInt8", unpackInt8Wgsl),
  iota: called("iota", iotaWgsl),
  matmul,
  packBytes: called("packBytes", packBytesWgsl),
  patches: called("patches", (node) => patchesWgsl(rankOf(node))),
  permutation: called("permutation", permutationWgsl),
  permute,
  rowMean: called("rowMean", rowMeanWgsl),
  rowScale: called("rowScale", rowScaleWgsl),
  slice: called("slice", stridedCopyWgsl),
  sumRowsAt: (node, request) =>
    request.call("sumRowsAt", [...indexedArgs(node), dimArg(node.shape[0] as Dim)], sumRowsAtWgsl),
  takeRows: (node, request) => request.call("takeRows", indexedArgs(node), takeRowsWgsl),
  transpose: called("transpose", transposeWgsl),
  unpackBytes: called("unpackBytes", unpackBytesWgsl),
  unpackHalves: called("unpackHalves", unpackHalvesWgsl),
  unpackInt8: called("unpackInt8", unpackInt8Wgsl),
};
