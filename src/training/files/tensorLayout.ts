/**
 * Converts between the order of a tensor's elements in memory (inputs before outputs, channels last) and in
 * files (PyTorch's).
 */
import { type TensorSpec, tensorShape } from "../../evolution/index.ts";

/** For each axis in the file, the axes in memory that it combines, outermost first. */
const fileAxesOf = ({ fileAxes, axes }: TensorSpec): readonly (readonly number[])[] =>
  fileAxes ?? axes.map((_axis, i) => [i]);

/** Shape in the file. */
export function fileShape(spec: TensorSpec): number[] {
  const shape = tensorShape(spec);
  return fileAxesOf(spec).map((axes) => axes.reduce((size, axis) => size * (shape[axis] as number), 1));
}

/** For each element in the file, its position in memory; null if both orders are the same. */
function positions(spec: TensorSpec): Int32Array | null {
  const order = fileAxesOf(spec).flat();
  if (order.every((axis, i) => axis === i)) return null;
  const shape = tensorShape(spec);
  const strides = shape.map((_size, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  // Plain loops for speed: they run for every tensor of every member whenever agents are written or shown.
  let found = new Int32Array(1);
  for (const axis of order) {
    const [size, stride] = [shape[axis] as number, strides[axis] as number];
    const next = new Int32Array(found.length * size);
    let end = 0;
    for (const start of found) for (let i = 0; i < size; i++) next[end++] = start + i * stride;
    found = next;
  }
  return found;
}

/** Values in the file's order; the same array if both orders are the same. */
export function toFileOrder(spec: TensorSpec, values: Float32Array): Float32Array {
  const from = positions(spec);
  if (from === null) return values;
  const out = new Float32Array(from.length);
  for (let i = 0; i < from.length; i++) out[i] = values[from[i] as number] as number;
  return out;
}

/** The inverse of {@link toFileOrder}. */
export function fromFileOrder(spec: TensorSpec, values: Float32Array): Float32Array {
  const to = positions(spec);
  if (to === null) return values;
  const out = new Float32Array(values.length);
  for (let i = 0; i < to.length; i++) out[to[i] as number] = values[i] as number;
  return out;
}
