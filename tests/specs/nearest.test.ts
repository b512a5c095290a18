import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../src/specs/editDistance.ts";
import { nearest } from "../../src/specs/nearest.ts";

const word = fc.string({ maxLength: 8 });

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "", 3],
    ["kitten", "sitting", 3],
    ["steps", "setps", 1],
    ["ca", "abc", 3],
    ["max_steps", "max_stps", 1],
  ])("%s to %s is %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it("is symmetric, zero only for equal words, at most the longer length", () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});

describe("nearest", () => {
  const keys = ["max_steps", "evo_steps", "pop_size", "eval_loop"];

  it("finds a slip of the pen, whatever the case and separators", () => {
    expect(nearest("max_stpes", keys)).toBe("max_steps");
    expect(nearest("popSize", keys)).toBe("pop_size");
    expect(nearest("EVO-STEPS", keys)).toBe("evo_steps");
  });

  it("suggests nothing for a word that is far from all", () => {
    expect(nearest("frobnicate", keys)).toBeUndefined();
    expect(nearest("x", [])).toBeUndefined();
  });
});
