import { describe, expect, it } from "vitest";
import { RowOrder } from "../../../../src/llm/data/rowOrder.ts";

describe("the order of rows", () => {
  it("is another permutation in every epoch, and a function of seed and position alone", () => {
    const order = new RowOrder(50);
    const epoch = (n: number) => Array.from({ length: 50 }, (_, i) => order.at(50 * n + i));
    const [first, second] = [epoch(0), epoch(1)];
    for (const rows of [first, second]) expect(rows.toSorted((a, b) => a - b)).toEqual([...Array(50).keys()]);
    expect(second).not.toEqual(first);
    expect(epoch(0)).toEqual(first);
    expect(new RowOrder(50, 42).at(73)).toBe(second[23]);
    expect(Array.from({ length: 50 }, (_, i) => new RowOrder(50, 7).at(i))).not.toEqual(first);
    expect([order.epochOf(49), order.epochOf(50)]).toEqual([0, 1]);
  });

  it("needs a row", () => {
    expect(() => new RowOrder(0)).toThrow("rows: found 0, allowed at least 1");
  });
});
