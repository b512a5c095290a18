import { describe, expect, it } from "vitest";
import { philox, Random } from "../../src/evolution/random.ts";

describe("random numbers of the host side", () => {
  it("are Philox4x32-10 (known answers of Random123)", () => {
    expect(philox([0, 0, 0, 0], [0, 0])).toEqual([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
    const ones = 0xffffffff;
    expect(philox([ones, ones, ones, ones], [ones, ones])).toEqual([
      0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd,
    ]);
    expect(philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0])).toEqual([
      0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1,
    ]);
  });

  it("depend on every part of the key and on nothing else", () => {
    const first = (key: { seed: number; stream?: string; slot?: number; generation?: number }) =>
      new Random(key).uniform();
    const key = { seed: 7, stream: "a", slot: 1, generation: 2 };
    const value = first(key);
    new Random({ seed: 7 }).normal();
    expect(first(key)).toBe(value);
    const others = [{ seed: 8 }, { seed: 7 + 2 ** 32 }, { stream: "b" }, { slot: 2 }, { generation: 3 }];
    for (const change of others) expect(first({ ...key, ...change })).not.toBe(value);
  });

  it("have the moments of their distributions", () => {
    const random = new Random({ seed: 1 });
    const n = 40_000;
    const uniform = Array.from({ length: n }, () => random.uniform());
    const normal = Array.from({ length: n }, () => random.normal());
    const mean = (xs: number[]) => xs.reduce((a, b) => a + b, 0) / n;
    expect(uniform.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(Math.abs(mean(uniform) - 0.5)).toBeLessThan(0.01);
    expect(Math.abs(mean(normal))).toBeLessThan(0.02);
    expect(Math.abs(mean(normal.map((x) => x * x)) - 1)).toBeLessThan(0.04);
    expect(Math.abs(mean(normal.map((x) => x ** 4)) - 3)).toBeLessThan(0.25);
  });

  it("sample without repeats, and weighted draws follow their weights", () => {
    const random = new Random({ seed: 3 });
    const drawn = random.sample([1, 2, 3, 4, 5], 5);
    expect(drawn.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const counts = [0, 0, 0];
    for (let i = 0; i < 8000; i++) {
      const index = random.weighted([1, 0, 3]) as number;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    expect(counts[1]).toBe(0);
    expect((counts[2] as number) / 8000).toBeCloseTo(0.75, 1);
    expect(random.weighted([0, 0])).toBeNull();
    const large = Array.from({ length: 100 }, () => random.weighted([1.7e308, 1.7e308, 0]));
    expect(new Set(large)).toEqual(new Set([0, 1]));
  });
});
