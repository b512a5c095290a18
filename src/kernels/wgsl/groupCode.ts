/** A fused group as a WGSL function: an invocation processes elements, or whole rows if rows are reduced. */
import { type Axis, columnLayout, groupLayout } from "../lowering/iteration.ts";
import type { ColumnStep, GroupStep, StepArg } from "../lowering/schedule.ts";
import type { ElementwiseOp, Operands } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";
import { ELEMENT_FORMS, reductionForm } from "./elementForms.ts";
import { each, type Load, letsOf, pipelined, type WgslFunction } from "./wgslFunction.ts";

export interface WgslKernel {
  readonly args: readonly StepArg[];
  readonly body: WgslFunction;
}

const SUFFIX: Record<DType, string> = { f32: "F", i32: "I", u32: "U", bool: "B" };

export const load = (dtype: DType, at: string): string => `load${SUFFIX[dtype]}(${at})`;
export const store = (dtype: DType, at: string, value: string): string =>
  `store${SUFFIX[dtype]}(${at}, ${value});`;

/** Writes element-wise operations as `let`s; `values` maps each to its expression. */
export function chainCode(nodes: readonly Tensor[], values: Map<Tensor, string>): string {
  const lines: string[] = [];
  for (const node of nodes) {
    if (values.has(node)) continue;
    const operands = node.inputs.map((t) => values.get(t)) as readonly string[] as Operands<string>;
    const expression = ELEMENT_FORMS[(node.op as ElementwiseOp).name](operands, node);
    const name = `v${values.size}`;
    // Constants are variables: WGSL rejects an overflow or a division by zero in constant expressions.
    lines.push(`${node.op.name === "constant" ? "var" : "let"} ${name} = ${expression};`);
    values.set(node, name);
  }
  return lines.join("\n");
}

/** Kernel of a group; its parameters are operands, stores, reductions, then the sizes of the axes. */
export function groupKernel(group: GroupStep): WgslKernel {
  const { stores, reductions } = group;
  const { operands, axes, args } = groupLayout(group);
  const parameters = [
    ...operands.map((_, k) => `p${k}`),
    ...stores.map((_, k) => `s${k}`),
    ...reductions.map((_, k) => `r${k}`),
    ...axes.map((_, k) => `d${k}`),
  ];
  const values = new Map<Tensor, string>();
  const loads = operands.map((t, k): Load => {
    values.set(t, `o${k}`);
    return { name: `o${k}`, dtype: t.dtype, code: load(t.dtype, `p${k}${offsetOf(axes, k)}`) };
  });
  const use = [
    chainCode(group.nodes, values),
    ...stores.map(({ value }, k) => store(value.dtype, `s${k} + e`, values.get(value) as string)),
    ...reductions.map(({ node }, k) => {
      const value = values.get(node.inputs[0] as Tensor) as string;
      return `total${k} = ${reductionForm(node).combined(`total${k}`, value)};`;
    }),
  ].join("\n");
  const element = { loads, use };
  const code =
    reductions.length === 0 ? elements(axes, element) : (ahead: number) => rows(axes, element, group, ahead);
  return { args, body: { parameters, code } };
}

/** Offset of operand `k` at the coordinates c0, c1, ...: "" if it is a single value. */
function offsetOf(axes: readonly Axis[], k: number): string {
  let stride = "";
  let terms = "";
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    if (!axes[axis]?.spans[k]) continue;
    terms += ` + c${axis}${stride}`;
    stride += ` * d${axis}`;
  }
  return terms;
}

const product = (axes: readonly Axis[]): string => axes.map((_, i) => `d${i}`).join(" * ") || "1";

/** Coordinates c0, c1, ... of `index` along the first `count` axes, the last running fastest. */
function coordinates(index: string, count: number): string {
  const lines: string[] = [];
  let rest = index;
  for (let axis = count - 1; axis >= 0; axis--) {
    lines.push(axis === 0 ? `let c0 = ${rest};` : `let c${axis} = (${rest}) % d${axis};`);
    rest = `(${rest}) / d${axis}`;
  }
  return lines.join("\n");
}

interface Element {
  readonly loads: readonly Load[];
  readonly use: string;
}

/** One element at a time: with four, PPO was 3 % faster on an H100, but took half as long again to compile. */
const elements = (axes: readonly Axis[], { loads, use }: Element): string =>
  each("e", product(axes), `${coordinates("e", axes.length)}\n${letsOf(loads)}\n${use}`);

/** Rows of the last axis, one per invocation. A single row is shared by all, with a tree of sums. */
function rows(axes: readonly Axis[], element: Element, { reductions }: GroupStep, ahead: number): string {
  const last = axes.length - 1;
  const totals = reductions.map(({ node }, k) => `var total${k} = ${reductionForm(node).start};`).join("\n");
  if (last === 0) {
    const results = reductions.map(({ node }, k) => {
      const all = `${reductionForm(node).whole}(total${k})`;
      return `let all${k} = ${all};\nif (lid == 0) { ${store("f32", `r${k}`, `all${k}`)} }\nworkgroupBarrier();`;
    });
    const own = pipelined(
      { index: "e", first: "lid", count: "d0", step: "WG" },
      { where: "let c0 = e;", ...element },
      ahead,
    );
    return `${totals}\n${own}\n${results.join("\n")}`;
  }
  const results = reductions.map((_, k) => store("f32", `r${k} + row`, `total${k}`)).join("\n");
  const along = pipelined(
    { index: `c${last}`, first: "0", count: `d${last}`, step: "1" },
    { where: `let e = row * d${last} + c${last};`, ...element },
    ahead,
  );
  return each(
    "row",
    product(axes.slice(0, -1)),
    `${coordinates("row", last)}\n${totals}\n${along}\n${results}`,
  );
}

/** Reduction of an axis that is not the last, [outer, axis, inner] -> [outer, inner], each result by one invocation. */
export function columnKernelWgsl(step: ColumnStep): WgslKernel {
  const { x, operands, spans, args } = columnLayout(step, "wgsl");
  const values = new Map<Tensor, string>();
  const loads = operands.map((t, k): Load => {
    const [outer, axis, inner] = spans[k] as readonly [boolean, boolean, boolean];
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
    args,
    body: {
      parameters: [...operands.map((_, k) => `p${k}`), "to", "outer", "axis", "inner"],
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
