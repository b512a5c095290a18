/** Dimensions: integer polynomials over symbols. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDims,
  type Dim,
  dimKey,
  evalDim,
  mulDims,
  sameDim,
  sameShape,
  shapeKey,
  sizeOf,
  subDims,
  sym,
  symbolsOf,
} from "../../src/kernels/index.ts";

const binding = { a: 3, b: 5, "net.hidden[0]": 7 };
const leaf: fc.Arbitrary<Dim> = fc.oneof(
  fc.integer({ min: -4, max: 9 }),
  fc.constantFrom(...Object.keys(binding)).map(sym),
);
const dims: fc.Arbitrary<Dim> = fc
  .array(fc.tuple(fc.constantFrom(addDims, mulDims, subDims), leaf), { maxLength: 6 })
  .map((steps) => steps.reduce<Dim>((dim, [combine, other]) => combine(dim, other), 2));

describe("dimensions", () => {
  const value = (dim: Dim) => evalDim(dim, binding);

  it("evaluate as their sums, differences and products do", () => {
    fc.assert(
      fc.property(dims, dims, (x, y) => {
        expect(value(addDims(x, y))).toBe(value(x) + value(y));
        expect(value(subDims(x, y))).toBe(value(x) - value(y));
        expect(value(mulDims(x, y))).toBe(value(x) * value(y) + 0);
        expect(value(sizeOf([x, y, 2]))).toBe(value(x) * value(y) * 2 + 0);
      }),
      { seed: 10 },
    );
  });

  it("are equal exactly when the polynomials are", () => {
    fc.assert(
      fc.property(dims, dims, dims, (x, y, z) => {
        expect(sameDim(addDims(x, y), addDims(y, x))).toBe(true);
        expect(sameDim(mulDims(x, addDims(y, z)), addDims(mulDims(x, y), mulDims(x, z)))).toBe(true);
        expect(subDims(x, x)).toBe(0);
        // Values at several points tell unequal polynomials of this degree apart.
        const points = [1, 2, 3, 5, 8].map((k) => ({ a: k, b: k * k + 1, "net.hidden[0]": 3 * k + 2 }));
        const equal = points.every((p) => evalDim(x, p) === evalDim(y, p));
        expect(sameDim(x, y)).toBe(equal);
      }),
      { seed: 11 },
    );
  });

  it("become numbers when no symbol is left", () => {
    const n = sym("n");
    expect(subDims(addDims(n, 3), n)).toBe(3);
    expect(mulDims(n, 0)).toBe(0);
    expect(sizeOf([])).toBe(1);
    expect(sizeOf([2, 3])).toBe(6);
  });

  it("print in one canonical way", () => {
    const [a, b] = [sym("a"), sym("b")];
    expect(dimKey(addDims(mulDims(b, a, 2), 1, a))).toBe(dimKey(addDims(a, mulDims(a, 2, b), 1)));
    expect(shapeKey([a, 1, mulDims(b, a)])).toBe("[a,1,a*b]");
    expect(symbolsOf(addDims(mulDims(a, b), a, 4)).sort()).toEqual(["a", "b"]);
    expect(symbolsOf(4)).toEqual([]);
    expect(sameShape([a, 2], [sym("a"), 2])).toBe(true);
    expect(sameShape([a], [a, 1])).toBe(false);
  });

  it("name the symbol that is not bound, and those that are", () => {
    expect(() => evalDim(mulDims(sym("batch"), sym("width")), { batch: 2 })).toThrow(
      'dimension "width" is not bound; bound dimensions: batch',
    );
    expect(() => evalDim(sym("width"), {})).toThrow("bound dimensions: none");
  });

  it.each(["", "2x", "a b", "a*b", "a+b"])("refuse %j as a symbol", (name) => {
    expect(() => sym(name)).toThrow(RangeError);
  });
});
