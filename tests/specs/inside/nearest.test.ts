import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../../src/specs/editDistance.ts";
import { alternatives, nearest } from "../../../src/specs/messages.ts";
import { nearestNames } from "../../../src/specs/names.ts";

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

describe("nearestNames", () => {
  const ids = ["Taxi-v3", "LunarLander-v3", "CartPole-v1", "rlkit/CartPole-masked-v1", "Pendulum-v1"];

  it("orders names by likeness, those that contain the wanted one first", () => {
    expect(nearestNames("CartPol-v1", ids, 3)[0]).toBe("CartPole-v1");
    expect(nearestNames("cartpole", ids, 2)).toEqual(["CartPole-v1", "rlkit/CartPole-masked-v1"]);
    expect(nearestNames("lander", ids, 1)).toEqual(["LunarLander-v3"]);
    expect(nearestNames("x".repeat(1_000), ids, 3)).toEqual([]);
  });
});

describe("the end of a sentence about an unknown name", () => {
  const ids = Array.from({ length: 20 }, (_, i) => `Level-v${i}`);

  it("names the nearest three of many, and where all are listed", () => {
    expect(alternatives("environment", "Levl-v3", { names: ids })).toMatch(
      /^; did you mean "Level-v3"\? Nearest: Level-v3, Level-v\d+, Level-v\d+; all 20: `rlkit list environments`, or the field's list in the workbench$/,
    );
    expect(alternatives("template", "zzz", { names: ids, listed: "the page New run" })).toMatch(
      /^; nearest: [^,]+, [^,]+, [^,]+; all 20: the page New run$/,
    );
  });

  it("names all of a few", () => {
    expect(alternatives("architecture", "mpl", { names: ["mlp", "cnn"] })).toBe(
      '; did you mean "mlp"? Available: mlp, cnn',
    );
    expect(alternatives("architecture", "zzz", { names: ["mlp", "cnn"] })).toBe("; available: mlp, cnn");
  });

  it("guesses nothing where no name is given", () => {
    expect(alternatives("environment", undefined, { names: ids })).toMatch(/^; all 20: /);
  });
});
