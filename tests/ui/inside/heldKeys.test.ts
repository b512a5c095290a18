import { describe, expect, it } from "vitest";
import { Box, Discrete, MultiBinary } from "../../../src/rl/spaces.ts";
import { bindingsOf, heldAction, keysText } from "../../../src/ui/pages/environments/trial/heldKeys.ts";

const joints = new Box({ low: -1, high: 1, shape: [4] });

describe("keys that are held", () => {
  it("give each number of an action its largest or smallest value", () => {
    expect(heldAction(joints, [0, 0.5, 0, 0], new Set(["q", "d", "f"]))).toEqual([1, 0.5, -1, -1]);
    expect(heldAction(joints, [0, 0.5, 0, 0], new Set())).toEqual([0, 0.5, 0, 0]);
    const bounds = new Box({ low: [-3, -Infinity], high: [Infinity, 2] });
    expect(heldAction(bounds, [0, 0], new Set(["q", "w"]))).toEqual([1, 2]);
    expect(heldAction(bounds, [0, 0], new Set(["a", "s"]))).toEqual([-3, -1]);
  });

  it("leave a number as it is where opposite keys are held", () => {
    expect(heldAction(joints, [0.25, 0, 0, 0], new Set(["q", "a", "e"]))).toEqual([0.25, 0, 1, 0]);
  });

  it("choose among choices, from the space's first", () => {
    expect(heldAction(new Discrete(4), [0], new Set(["3"]))).toEqual([3]);
    expect(heldAction(new Discrete(3, { start: 5 }), [5], new Set(["2", "9"]))).toEqual([7]);
    expect(bindingsOf(new Discrete(18))).toHaveLength(10);
  });

  it("are none for other spaces and for more numbers than keys", () => {
    expect(bindingsOf(new MultiBinary(3))).toEqual([]);
    const many = new Box({ low: -1, high: 1, shape: [9] });
    expect(bindingsOf(many)).toEqual([]);
    expect(keysText(many)).toBe("");
  });

  it("are named", () => {
    expect(keysText(joints)).toContain("0: Q or A, 1: W or S, 2: E or D, 3: R or F.");
    expect(keysText(new Discrete(4))).toContain("0 to 3");
  });
});
