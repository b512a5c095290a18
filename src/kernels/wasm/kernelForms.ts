/** Operations with loops of their own in WebAssembly: one entry for each. */
import type { Dim } from "../dim.ts";
import { addDims, mulDims, sizeOf } from "../dim.ts";
import { called, indexedArgs, productOf } from "../lowering/kernelCalls.ts";
import {
  dimArg,
  input,
  type KernelForm,
  type KernelForms,
  output,
  scratch,
} from "../lowering/kernelRequest.ts";
import { movesOf } from "../ops/layout.ts";
import { rankOf } from "../ops/patches.ts";
import { epsilonOf } from "../ops/standardize.ts";
import type { Tensor } from "../tensor.ts";
import { packBytesKernel, unpackBytesKernel } from "./bytes.ts";
import { permuteKernel, stridedCopyKernel } from "./copies.ts";
import type { FunctionBody } from "./encoder.ts";
import { batchGemm, gemm } from "./gemm.ts";
import { dimValueKernel, iotaKernel, permutationKernel } from "./indices.ts";
import { isLarge, largeProduct, largeScratch } from "./largeProducts.ts";
import { NARROW, narrowProduct, narrowTransposedProduct } from "./narrowProducts.ts";
import { type NumberFormat, unpackKernel } from "./numbers.ts";
import { batchPackKernel, packKernel } from "./panels.ts";
import { foldKernel, patchesKernel } from "./patches.ts";
import { momentKernel } from "./rowMoments.ts";
import { argmaxKernel, cumulativeSumKernel, sumRowsAtKernel, takeRowsKernel } from "./rows.ts";
import { transposeKernel } from "./transpose.ts";

type Form = KernelForm<FunctionBody>;

const matmul: Form = (node, request) => {
  const { transposeA, transposeB, rows, columns, depth, sizes } = productOf(node);
  const bias = node.inputs.length > 2;
  const biasArg = bias ? [input(2)] : [];
  const narrow = typeof columns === "number" && columns <= NARROW;
  if (narrow && transposeA && !bias) {
    const args = [output, input(0), input(1), dimArg(rows), dimArg(depth)];
    request.call(`narrow gemm true ${columns}`, args, () => narrowTransposedProduct(columns));
    return;
  }
  if (narrow && !transposeA) {
    const turned = transposeB ? input(1) : scratch(mulDims(depth, columns));
    if (!transposeB) {
      const args = [turned, input(1), dimArg(depth), dimArg(columns)];
      request.prepare(1, "transpose", args, transposeKernel);
    }
    const args = [output, input(0), turned, dimArg(rows), dimArg(depth), ...biasArg];
    request.call(`narrow gemm false ${columns} ${bias}`, args, () => narrowProduct({ columns, bias }));
    return;
  }
  const known = typeof columns === "number" && typeof depth === "number";
  if (transposeB && known && isLarge(columns, depth)) {
    const args = [output, input(0), input(1), dimArg(rows), scratch(largeScratch(depth)), ...biasArg];
    request.call(`large gemm ${columns} ${depth} ${bias}`, args, () =>
      largeProduct({ bias, columns, depth }),
    );
    return;
  }
  const packed = scratch(mulDims(depth, addDims(columns, 3)));
  request.prepare(1, `pack ${transposeB}`, [packed, input(1), dimArg(columns), dimArg(depth)], () =>
    packKernel(transposeB),
  );
  const args = [output, input(0), packed, ...sizes, scratch(mulDims(4, depth)), ...biasArg];
  request.call(`gemm ${transposeA} ${bias}`, args, () => gemm({ transposeA, bias }));
};

const packedProduct =
  (format: Exclude<NumberFormat, "f32">): Form =>
  (node, request) => {
    const { transposeB, rows, columns, depth, sizes } = productOf(node);
    const bias = node.inputs.length > 2;
    const biasArg = bias ? [input(2)] : [];
    const known = typeof columns === "number" && typeof depth === "number";
    if (transposeB && known && isLarge(columns, depth)) {
      const args = [output, input(0), input(1), dimArg(rows), scratch(largeScratch(depth)), ...biasArg];
      request.call(`large ${format} gemm ${columns} ${depth} ${bias}`, args, () =>
        largeProduct({ bias, columns, depth, format }),
      );
      return;
    }
    const packed = scratch(mulDims(depth, addDims(columns, 3)));
    request.prepare(
      1,
      `pack ${format} ${transposeB}`,
      [packed, input(1), dimArg(columns), dimArg(depth)],
      () => packKernel(transposeB, format),
    );
    const args = [output, input(0), packed, ...sizes, scratch(mulDims(4, depth)), ...biasArg];
    request.call(`gemm false ${bias}`, args, () => gemm({ transposeA: false, bias }));
  };

const batchMatmul: Form = (node, request) => {
  const { transposeA, transposeB, columns, depth, sizes } = productOf(node);
  const count = node.shape[0] as Dim;
  const packed = scratch(mulDims(count, depth, addDims(columns, 3)));
  const packing = [packed, input(1), ...[columns, depth, count].map(dimArg)];
  request.prepare(1, `batch pack ${transposeB}`, packing, () => batchPackKernel(transposeB));
  const args = [output, input(0), packed, ...sizes, scratch(mulDims(4, depth)), dimArg(count)];
  request.call(`batch gemm ${transposeA}`, args, () => batchGemm(transposeA));
};

const permute: Form = (node, request) => {
  const { sizes, axes } = movesOf((node.inputs[0] as Tensor).shape, node.attrs.axes as number[]);
  const args = [output, input(0), ...sizes.map(dimArg)];
  if (axes.length === 2) request.call("transpose", args, transposeKernel);
  else request.call(`permute ${axes.join(" ")}`, args, () => permuteKernel(axes));
};

const takeRows: Form = (node, request) => {
  const length = sizeOf((node.inputs[0] as Tensor).shape.slice(1));
  const short = typeof length === "number" && length <= 16 ? length : null;
  const name = short === null ? "takeRows" : `takeRows ${short}`;
  request.call(name, indexedArgs(node), () => takeRowsKernel(short));
};

export const KERNEL_FORMS: KernelForms<FunctionBody> = {
  argmax: called("argmax", argmaxKernel),
  batchMatmul,
  concat: called("concat", stridedCopyKernel),
  cumulativeSum: called("cumulativeSum", ({ attrs }) => cumulativeSumKernel(attrs.reverse as boolean)),
  dimValue: called("dimValue", ({ dtype }) => dimValueKernel(dtype)),
  foldPatches: called("foldPatches", (node) => foldKernel(rankOf(node))),
  halvesMatmul: packedProduct("half"),
  int8Matmul: packedProduct("int8"),
  iota: called("iota", iotaKernel),
  matmul,
  packBytes: called("packBytes", packBytesKernel),
  patches: called("patches", (node) => patchesKernel(rankOf(node))),
  permutation: called("permutation", permutationKernel),
  permute,
  rowMean: called("rowMean", () => momentKernel("mean")),
  rowScale: called("rowScale", (node) => momentKernel("scale", epsilonOf(node))),
  slice: called("slice", stridedCopyKernel),
  sumRowsAt: (node, request) =>
    request.call("sumRowsAt", [...indexedArgs(node), dimArg(sizeOf(node.shape))], sumRowsAtKernel),
  takeRows,
  transpose: called("transpose", transposeKernel),
  unpackBytes: called("unpackBytes", unpackBytesKernel),
  unpackHalves: called("unpackHalves", () => unpackKernel("half")),
  unpackInt8: called("unpackInt8", () => unpackKernel("int8")),
};
