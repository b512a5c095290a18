/** Reduction of an axis that is not the last: [outer, axis, inner] -> [outer, inner], up to 16 columns at a time. */

import { columnLayout } from "../lowering/iteration.ts";
import type { ColumnStep } from "../lowering/schedule.ts";
import type { Tensor } from "../tensor.ts";
import { reductionForm } from "./elementForms.ts";
import { FunctionBody } from "./encoder.ts";
import { emitChain, type Kernel } from "./fusedKernel.ts";
import { forLoop, storeTail, whileBelow } from "./loops.ts";

export function columnKernel(step: ColumnStep): Kernel {
  const { x, operands, spans, args } = columnLayout(step, "wasm");
  const { start, combine } = reductionForm(step.node);
  const n = operands.length;
  const f = new FunctionBody(Array(n + 4).fill("i32"));
  const [OUT, OUTER, AXIS, INNER] = [n, n + 1, n + 2, n + 3];
  const i32 = () => f.local("i32");
  const [o, a, j, bytes, wide, main, rest, out] = f.i32s(8);
  const strides = spans.map(([outer, axis, inner]) => {
    const [axisStride, outerStride] = [i32(), i32()];
    f.i32(4);
    if (inner) f.get(INNER).op("i32.mul");
    f.set(axisStride);
    f.get(axisStride);
    if (axis) f.get(AXIS).op("i32.mul");
    f.set(outerStride);
    return { outer: outer ? outerStride : null, axis: axis ? axisStride : null, inner };
  });
  const bases = operands.map((_, k) => {
    const local = i32();
    f.get(k).set(local);
    return local;
  });
  const rows = operands.map(i32);
  f.bytesOf(INNER).set(bytes);
  f.get(bytes).i32(-64).op("i32.and").set(wide);
  f.get(bytes).i32(-16).op("i32.and").set(main);
  f.get(INNER).i32(3).op("i32.and").set(rest);
  f.get(OUT).set(out);

  const columns = (vectors: number, masked: boolean) => {
    const totals = Array.from({ length: vectors }, () => {
      const local = f.local("v128");
      f.f32x4(start).set(local);
      return local;
    });
    rows.forEach((row, k) => {
      f.get(bases[k] as number);
      if (strides[k]?.inner) f.get(j).op("i32.add");
      f.set(row);
    });
    forLoop(f, a, AXIS, 1, () => {
      totals.forEach((total, v) => {
        const values = new Map<Tensor, number>();
        operands.forEach((t, k) => {
          const local = f.local("v128");
          f.get(rows[k] as number);
          if (strides[k]?.inner) f.v128Load(16 * v);
          else f.v128LoadSplat();
          f.set(local);
          values.set(t, local);
        });
        emitChain(f, step.chain, values);
        f.get(total)
          .get(values.get(x) as number)
          .simd(combine)
          .set(total);
      });
      rows.forEach((row, k) => {
        const stride = strides[k]?.axis;
        if (stride != null) f.advanceBy(row, stride);
      });
    });
    totals.forEach((total, v) => {
      const address = i32();
      f.sum(out, j).set(address);
      if (masked) storeTail(f, address, total, rest);
      else f.store(address, total, 16 * v);
    });
  };
  forLoop(f, o, OUTER, 1, () => {
    f.i32(0).set(j);
    whileBelow(f, j, wide, 64, () => columns(4, false));
    whileBelow(f, j, main, 16, () => columns(1, false));
    f.get(rest).if(() => columns(1, true));
    f.advanceBy(out, bytes);
    bases.forEach((base, k) => {
      const stride = strides[k]?.outer;
      if (stride != null) f.advanceBy(base, stride);
    });
  });
  return { args, body: f };
}
