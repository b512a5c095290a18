/** How operands lie over an iteration space: which axes they span, and which axes can be walked as one. */
import type { Dim, Shape } from "../dim.ts";
import { mulDims } from "../dim.ts";

/** An axis of the loop nest, and which operands span it (the others repeat along it). */
export interface Axis {
  readonly dim: Dim;
  readonly spans: readonly boolean[];
}

/** For each axis of `space`, whether an operand of shape `shape` has it. */
export function spanOf(space: Shape, shape: Shape): boolean[] {
  const missing = space.length - shape.length;
  return space.map((dim, i) => i >= missing && (shape[i - missing] !== 1 || dim === 1));
}

/** Axes with literal 1 dropped and neighbours of equal pattern merged; `keepLast` holds the last one apart. */
export function coalesce(space: Shape, spans: readonly (readonly boolean[])[], keepLast: boolean): Axis[] {
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
