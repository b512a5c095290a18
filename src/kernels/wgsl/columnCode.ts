/** Reduction of an axis that is not the last, [outer, axis, inner] -> [outer, inner], each result by one invocation. */
import { columnClasses } from "../lowering/iteration.ts";
import type { ColumnStep } from "../lowering/schedule.ts";
import type { Tensor } from "../tensor.ts";
import { reductionForm } from "./elementForms.ts";
import { chainCode, load, store, type WgslKernel } from "./groupCode.ts";
import { each, type Load, pipelined } from "./wgslFunction.ts";

export function columnKernelWgsl(step: ColumnStep): WgslKernel {
  const x = step.node.inputs[0] as Tensor;
  const operands = [...step.operands];
  const tensors = operands.map(([t]) => t);
  const classes = columnClasses(x.shape, step.node.attrs.axis as number, tensors);
  if (!classes) throw new Error(`wgsl target: ${step.node} has operands that span its axes only partly`);
  const values = new Map<Tensor, string>();
  const loads = tensors.map((t, k): Load => {
    const [outer, axis, inner] = classes.spans[k] as readonly [boolean, boolean, boolean];
    const step = inner ? " * inner" : "";
    const offset = [
      ...(outer ? [`o${axis ? " * axis" : ""}${step}`] : []),
      ...(axis ? [`a${step}`] : []),
      ...(inner ? ["j"] : []),
    ];
    values.set(t, `x${k}`);
    return { name: `x${k}`, dtype: t.dtype, code: load(t.dtype, [`p${k}`, ...offset].join(" + ")) };
  });
  const chain = chainCode(step.chain, values);
  const { start, combined } = reductionForm(step.node);
  return {
    args: [
      ...operands.map(([, location]) => ({ location })),
      { location: step.to },
      ...classes.dims.map((dim) => ({ dim })),
    ],
    body: {
      parameters: [...tensors.map((_, k) => `p${k}`), "to", "outer", "axis", "inner"],
      code: (ahead) =>
        each(
          "e",
          "outer * inner",
          `let o = e / inner;
let j = e % inner;
var total = ${start};
${pipelined(
  { index: "a", first: "0", count: "axis", step: "1" },
  { loads, use: `${chain}\ntotal = ${combined("total", values.get(x) as string)};` },
  ahead,
)}
${store("f32", "to + e", "total")}`,
        ),
    },
  };
}
