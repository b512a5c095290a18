import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TensorSpec } from "../../../src/evolution/index.ts";
import { fileShape, fromFileOrder, toFileOrder } from "../../../src/training/files/tensorLayout.ts";

const spec = (shape: readonly number[], fileAxes?: readonly (readonly number[])[]): TensorSpec => ({
  name: "w",
  axes: shape.map((size) => [{ label: "a", size, symbol: null }]),
  init: { kind: "constant", value: 0 },
  role: "weight",
  ...(fileAxes && { fileAxes }),
});
const ramp = (n: number) => Float32Array.from({ length: n }, (_, i) => i);

describe("the order of tensors in files", () => {
  it("is the one in memory unless the tensor says otherwise", () => {
    const values = ramp(6);
    expect(fileShape(spec([2, 3]))).toEqual([2, 3]);
    expect(toFileOrder(spec([2, 3]), values)).toBe(values);
  });

  it("transposes matrices", () => {
    const matrix = spec([2, 3], [[1], [0]]);
    expect(fileShape(matrix)).toEqual([3, 2]);
    expect([...toFileOrder(matrix, ramp(6))]).toEqual([0, 3, 1, 4, 2, 5]);
  });

  it("puts channels before positions where a layer reads a flattened image", () => {
    const flattened = spec([1, 2, 3, 2], [[3], [2, 0, 1]]);
    expect(fileShape(flattened)).toEqual([2, 6]);
    // Element [out 1, channel 2, column 0] of the file lies at row 0, column 0, channel 2, out 1 in memory.
    expect(toFileOrder(flattened, ramp(12))[6 + 2 * 2]).toBe(2 * 2 + 1);
  });

  it("is undone on the way back, for any order of axes", () => {
    const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shapes, fc.infiniteStream(fc.nat()), (shape, keys) => {
        const order = shape
          .map((_size, axis) => ({ axis, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const tensor = spec(shape, [order.map(({ axis }) => axis)]);
        const values = ramp(shape.reduce((a, b) => a * b, 1));
        expect(fromFileOrder(tensor, toFileOrder(tensor, values))).toEqual(values);
      }),
    );
  });
});
