/** Number of slices per minibatch. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSliced, sliceBindings, slicesOf } from "../../../src/agents/members.ts";

const count = (max: number) => fc.integer({ min: 1, max });
const cases = fc.record({
  batch: count(5000),
  sequence: fc.option(count(64), { nil: undefined }),
  population: count(300),
  busy: fc.constantFrom(1, 4, 16, 64, 256),
});

describe("slices", () => {
  it.each([
    // batch, population, busy, slices
    [64, 1, 256, 2],
    [63, 1, 256, 1],
    [256, 1, 256, 8],
    [4096, 1, 256, 64],
    [4096, 4, 256, 64],
    [4096, 5, 256, 64],
    [4096, 16, 256, 32],
    [4096, 64, 256, 8],
    [4096, 200, 256, 2],
    [4096, 200, 64, 1],
    [4096, 6, 16, 4],
  ])("of %i rows for %i members on %i places are %i", (batch, population, busy, slices) => {
    expect(slicesOf({ batch }, population, busy)).toBe(slices);
  });

  it("of sequences have their rows together", () => {
    expect(slicesOf({ batch: 8, sequence: 16 }, 1, 256)).toBe(4);
    expect(slicesOf({ batch: 3, sequence: 40 }, 1, 256)).toBe(2);
  });

  it("are for populations that leave the device idle", () => {
    expect([1, 63, 64, 65].map((population) => isSliced(population, 64))).toEqual([true, true, false, false]);
    expect(isSliced(1, 1)).toBe(false);
  });

  it("are as many as fit the device and have enough rows, and not fewer", () => {
    fc.assert(
      fc.property(cases, ({ batch, sequence, population, busy }) => {
        const sizes = sequence === undefined ? { batch } : { batch, sequence };
        const slices = slicesOf(sizes, population, busy);
        const allowed = (n: number) =>
          n <= 64 && population * n <= 2 * busy && Math.floor(batch / n) * (sequence ?? 1) >= 32;
        expect(Math.log2(slices) % 1).toBe(0);
        expect(slices === 1 || allowed(slices)).toBe(true);
        expect(allowed(2 * slices)).toBe(false);
      }),
    );
  });

  it("have every step or sequence of the minibatch once, in order, and about as many each", () => {
    fc.assert(
      fc.property(cases, ({ batch, population, busy }) => {
        const slices = slicesOf({ batch }, population, busy);
        const parts = sliceBindings({ batch, slices });
        expect(parts.map(({ slice }) => slice)).toEqual(Array.from({ length: slices }, (_, i) => i));
        let next = 0;
        for (const { slice_first = -1, slice_size = -1 } of parts) {
          expect(slice_first).toBe(next);
          expect(Math.abs(slice_size - batch / slices)).toBeLessThan(1);
          next += slice_size;
        }
        expect(next).toBe(batch);
      }),
    );
  });
});
