/** Weighted importance sampling per decision. */
import { describe, expect, it } from "vitest";
import { weightedReturn } from "../../../../src/agents/runtime/weightedReturn.ts";

const lengths = [2, 3];
const rewards = [1, 2, 3, 4, 5];
const cut = [0, 0, 0, 0, 0];
const terminated = [0, 1, 0, 0, 1];

describe("a weighted return", () => {
  it("is the mean of the rewards in each step where the policies are the same", () => {
    const same = { rewards, lengths, ratios: [1, 1, 1, 1, 1] };
    expect(weightedReturn({ ...same, ended: terminated }, 0.5)).toBe(2 + 0.5 * 3 + 0.25 * 2.5);
    // Of a cut episode nothing is known after its end.
    expect(weightedReturn({ ...same, ended: cut }, 0.5)).toBe(2 + 0.5 * 3 + 0.25 * 5);
  });

  it("weighs each reward by the ratios up to it", () => {
    const given = { rewards, lengths, ended: terminated, ratios: [3, 0.5, 1, 2, 4] };
    const [first, second, third] = [(3 * 1 + 3) / 4, (1.5 * 2 + 2 * 4) / 3.5, (8 * 5) / (1.5 + 8)];
    expect(weightedReturn(given, 0.5)).toBeCloseTo(first + 0.5 * second + 0.25 * third, 12);
  });

  it("is not known without weights, or with endless ones", () => {
    expect(weightedReturn({ rewards, lengths, ended: cut, ratios: [0, 1, 0, 1, 1] }, 0.5)).toBeNull();
    const endless = [Number.POSITIVE_INFINITY, 1, 1, 1, 1];
    expect(weightedReturn({ rewards, lengths, ended: cut, ratios: endless }, 0.5)).toBeNull();
  });
});
