/** How operands map to an iteration space: which axes they span, and which axes can be merged. */
import type { Dim, Shape } from "../dim.ts";
import { mulDims, sizeOf } from "../dim.ts";
import type { Tensor } from "../tensor.ts";
import type { ColumnStep, GroupStep, Location, StepArg } from "./schedule.ts";

/** An axis of the loop nest, and which operands span it (the others repeat along it). */
export interface Axis {
  readonly dim: Dim;
  readonly spans: readonly boolean[];
}

/** For each axis of `space`, whether an operand of shape `shape` has it. */
function spanOf(space: Shape, shape: Shape): boolean[] {
  const missing = space.length - shape.length;
  return space.map((dim, i) => i >= missing && (shape[i - missing] !== 1 || dim === 1));
}

/** Drops axes of literal 1 and merges neighbours with equal patterns; `keepLast` keeps the last one apart. */
function coalesce(space: Shape, spans: readonly (readonly boolean[])[], keepLast: boolean): Axis[] {
  const axes: { dim: Dim; spans: boolean[] }[] = [];
  space.forEach((dim, i) => {
    const last = i === space.length - 1;
    if (dim === 1 && !(last && keepLast)) return;
    const pattern = spans.map((s) => s[i] ?? false);
    const before = axes.at(-1);
    if (before && !(last && keepLast) && before.spans.every((b, k) => b === pattern[k]))
      before.dim = mulDims(before.dim, dim);
    else axes.push({ dim, spans: pattern });
  });
  return axes;
}

/** Whether the reduction runs over the last axis, so that a row loop can do it. */
export function reducesRows(node: Tensor): boolean {
  const x = node.inputs[0] as Tensor;
  return (node.attrs.axis as number) === x.rank - 1;
}

interface ColumnClasses {
  readonly dims: readonly [Dim, Dim, Dim];
  /** For each operand, whether it spans outer, axis and inner. */
  readonly spans: readonly (readonly [boolean, boolean, boolean])[];
}

/** The three classes of axes, or null if an operand spans only part of a class. */
export function columnClasses(space: Shape, axis: number, operands: readonly Tensor[]): ColumnClasses | null {
  const ranges = [space.slice(0, axis), space.slice(axis, axis + 1), space.slice(axis + 1)] as const;
  const spans: [boolean, boolean, boolean][] = [];
  for (const operand of operands) {
    const span = spanOf(space, operand.shape);
    const parts = [span.slice(0, axis), span.slice(axis, axis + 1), span.slice(axis + 1)];
    const wide = parts.map((part, r) => part.filter((_, i) => ranges[r]?.[i] !== 1));
    if (wide.some((part) => part.some((s) => s !== part[0]))) return null;
    spans.push(wide.map((part) => part[0] ?? false) as [boolean, boolean, boolean]);
  }
  return { dims: ranges.map((r) => sizeOf(r)) as [Dim, Dim, Dim], spans };
}

const locationsOf = (list: Iterable<{ readonly to: Location }>): StepArg[] =>
  Array.from(list, ({ to }) => ({ location: to }));

/** The loop nest of a group, and the arguments of its kernel: operands, stores, reductions, then the sizes of the axes. */
export function groupLayout({ space, operands, stores, reductions }: GroupStep) {
  const spans = [
    ...[...operands.keys()].map((t) => spanOf(space, t.shape)),
    ...stores.map(() => space.map(() => true)),
    ...reductions.map(() => space.map((_, i) => i < space.length - 1)),
  ];
  const axes = coalesce(space, spans, reductions.length > 0);
  const args: StepArg[] = [
    ...Array.from(operands.values(), (location) => ({ location })),
    ...locationsOf(stores),
    ...locationsOf(reductions),
    ...axes.map(({ dim }) => ({ dim })),
  ];
  return { operands: [...operands.keys()], axes, args };
}

/** The loops of a column reduction, and the arguments of its kernel: operands, the result, then outer, axis and inner. */
export function columnLayout({ node, operands, to }: ColumnStep, target: string) {
  const tensors = [...operands.keys()];
  const x = node.inputs[0] as Tensor;
  const classes = columnClasses(x.shape, node.attrs.axis as number, tensors);
  if (!classes) throw new Error(`${target} target: ${node} has operands that span its axes only partly`);
  const args: StepArg[] = [
    ...Array.from(operands.values(), (location) => ({ location })),
    { location: to },
    ...classes.dims.map((dim) => ({ dim })),
  ];
  return { x, operands: tensors, spans: classes.spans, args };
}
