import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { constant, permutation, reinterpret, state, sym, trace } from "../../src/kernels/index.ts";
import { devices } from "./support/devices.ts";
import { runOnDevice, runOnReference } from "./support/run.ts";

const n = sym("n");
const program = trace("shuffle", () => {
  const key = state("key", [], { dtype: "u32" }).read();
  state("order", [n], { dtype: "i32" }).write(permutation(n, key));
});

const order = (size: number, key: number): readonly number[] =>
  runOnReference(program, { n: size }, { key: [key] }).order ?? [];

const upTo = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

describe("permutation", () => {
  it("holds each index once, for every size up to 300", () => {
    for (let size = 1; size <= 300; size++)
      expect([...order(size, size * 2_654_435_761)].sort((a, b) => a - b)).toEqual(upTo(size));
  });

  it("holds each index once, for sizes around powers of two and any key", () => {
    const sizes = fc.constantFrom(1, 255, 256, 257, 1023, 1024, 1025, 4095, 4097, 16_385);
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (size, key) => {
        expect(Int32Array.from(order(size, key)).sort()).toEqual(Int32Array.from(upTo(size)));
      }),
      { numRuns: 40, seed: 9 },
    );
  });

  it("depends on the key, and shuffles evenly enough that each place sees each index", () => {
    const size = 8;
    const keys = 4000;
    const counts = Array.from({ length: size * size }, () => 0);
    const seen = new Set<string>();
    for (let key = 0; key < keys; key++) {
      const found = order(size, key * 2_654_435_761);
      found.forEach((index, place) => {
        counts[place * size + index] = (counts[place * size + index] ?? 0) + 1;
      });
      seen.add(found.join());
    }
    expect(seen.size).toBeGreaterThan(3000);
    const expected = keys / size;
    for (const count of counts) expect(Math.abs(count - expected)).toBeLessThan(0.25 * expected);
  });

  describe.each(devices)("on $name", ({ create }) => {
    it("is the reference's order", async () => {
      const device = await create();
      for (const size of [1, 2, 3, 5, 16, 17, 64, 65, 1000, 20_000]) {
        for (const key of [0, 1, 2 ** 31, 2 ** 32 - 1, 123_456_789]) {
          const found = await runOnDevice(device, program, { n: size }, { key: [key] });
          expect(found.order).toEqual(order(size, key));
        }
      }
    });
  });

  it("refuses keys that are no u32 scalar", () => {
    const tracing = (body: () => void) => () => trace("t", body);
    expect(tracing(() => permutation(4, constant(1, "i32")))).toThrow(
      /permutation key: found i32, allowed u32/,
    );
    expect(tracing(() => permutation(4, constant(1, "u32", [2])))).toThrow(
      /found shape \[2\], allowed a scalar/,
    );
    expect(tracing(() => permutation(4, reinterpret(constant(1, "i32"), "u32")))).not.toThrow();
  });
});
