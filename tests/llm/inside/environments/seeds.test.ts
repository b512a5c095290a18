import { describe, expect, it } from "vitest";
import { RowOrder } from "../../../../src/llm/data/rowOrder.ts";
import { episodeStart, splitmix64, spreadSeed } from "../../../../src/llm/environments/seeds.ts";

describe("seeds of environments", () => {
  it("are SplitMix64 (known answers of its reference implementation)", () => {
    expect(splitmix64(0n)).toBe(0xe220a8397b1dcdafn);
    expect(splitmix64(1234567n)).toBe(6457827717110365317n);
  });

  it("begin a prompt's episodes with one seed and one row, another in every prompt", () => {
    const order = new RowOrder(5);
    const starts = Array.from({ length: 12 }, (_, prompt) => episodeStart(3, prompt, order));
    expect(starts.map(({ row_index }) => row_index)).toEqual(
      Array.from({ length: 12 }, (_, i) => order.at(i)),
    );
    expect(new Set(starts.map(({ seed }) => seed)).size).toBe(12);
    expect(episodeStart(5, 2, null)).toEqual({ seed: spreadSeed(7) });
  });

  it("have 31 bits, all different for neighbours", () => {
    const seeds = Array.from({ length: 1000 }, (_, i) => spreadSeed(i));
    expect(new Set(seeds).size).toBe(1000);
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
    expect(seeds[0]).toBe(Number(0xe220a8397b1dcdafn >> 33n));
    expect(seeds.some((seed) => seed >= 2 ** 30)).toBe(true);
  });
});
