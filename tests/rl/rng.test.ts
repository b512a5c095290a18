import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { philox, Rng } from "../../src/rl/rng.ts";

describe("philox", () => {
  it("gives the published known answers of Philox-2x32-10", () => {
    const f = 0xffffffff;
    expect(philox(0, 0, 0)).toEqual([0xff1dae59, 0x6cd10df2]);
    expect(philox(f, f, f)).toEqual([0x2c3f628b, 0xab4fd7ad]);
    expect(philox(0x243f6a88, 0x85a308d3, 0x13198a2e)).toEqual([0xdd7ce038, 0xf62a4c12]);
  });
});

describe("Rng", () => {
  const seeds = fc.integer({ min: 0, max: 0xffffffff });

  it("repeats its draws for equal seed and stream and differs for others", () => {
    fc.assert(
      fc.property(seeds, seeds, (seed, stream) => {
        const draw = (a: number, b: number): number[] => {
          const rng = new Rng(a, b);
          return [rng.word(), rng.word(), rng.word()];
        };
        expect(draw(seed, stream)).toEqual(draw(seed, stream));
        expect(draw(seed, stream)).not.toEqual(draw((seed + 1) % 2 ** 32, stream));
        expect(draw(seed, stream)).not.toEqual(draw(seed, (stream + 1) % 2 ** 32));
      }),
      { numRuns: 50 },
    );
  });

  it("draws integers below n evenly", () => {
    const rng = new Rng(7);
    const counts = [0, 0, 0];
    for (let i = 0; i < 3000; i++) {
      const x = rng.below(3);
      counts[x] = (counts[x] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it("draws uniforms in [0, 1) with mean one half", () => {
    const rng = new Rng(3);
    const draws = Array.from({ length: 4000 }, () => rng.uniform());
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    expect(draws.every((x) => Math.fround(x) === x)).toBe(true);
    expect(Math.abs(draws.reduce((a, b) => a + b) / draws.length - 0.5)).toBeLessThan(0.02);
  });

  it.each([-1, 0.5, 2 ** 32, Number.NaN])("refuses the seed %s", (seed) => {
    expect(() => new Rng(seed)).toThrow(/seed: found .* allowed integers from 0 to 4294967295/);
  });

  it("refuses an empty range", () => {
    expect(() => new Rng(0).below(0)).toThrow(/below: found 0/);
  });
});
