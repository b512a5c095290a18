import { describe, expect, it } from "vitest";
import { imageLayout } from "../../../../src/agents/index.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { networkInput } from "../../../../src/rl/programs/lanes.ts";
import { Box, Dict, flatSize, type Space } from "../../../../src/rl/spaces.ts";
import { runOnReference } from "../../../kernels/support/run.ts";

/** A network's input for one observation. */
function inputOf(space: Space, observation: readonly number[], normalize_images = true): readonly number[] {
  const program = trace("input", () => {
    const obs = state("obs", [1, ...space.shape]).read();
    state("x", [1, flatSize(space)]).write(
      networkInput({ hyperparameters: { normalize_images } }, space, obs),
    );
  });
  return runOnReference(program, {}, { obs: observation }).x as readonly number[];
}

const box = (shape: readonly number[], low = 0, high = 10) => new Box({ low, high, shape });
const ramp = (n: number) => Array.from({ length: n }, (_, i) => i);

describe("images as networks read them", () => {
  it("have their channels last, wherever the space has them", () => {
    const numbers = ramp(24).map((i) => i / 100);
    inputOf(box([3, 4, 2], 0, 1), numbers).forEach((x, i) => expect(x).toBeCloseTo(i / 100, 6));
    // [2 channels, 3 rows, 4 columns]: both channels of the first pixel, then of the second, ...
    const first = inputOf(box([2, 3, 4], 0, 1), numbers);
    first.forEach((x, i) => expect(x).toBeCloseTo(((i % 2) * 12 + Math.floor(i / 2)) / 100, 6));
  });

  it.each([
    [[84, 84, 3], [3, 84, 84], true],
    [[4, 84, 84], [4, 84, 84], false],
    [[1, 3, 3], [1, 3, 3], false],
    [[10, 10, 10], [10, 10, 10], true],
    [[10, 10, 4], [4, 10, 10], true],
  ] as const)("of shape %j are %j: channels last %s", (shape, expected, channelsLast) => {
    expect(imageLayout(box(shape))).toMatchObject({ shape: expected, channelsLast });
  });

  it("are left as they are for agents that do not normalize them", () => {
    expect(inputOf(box([2, 2, 1], -5, 15), [-5, 5, 15, 0], false)).toEqual([-5, 5, 15, 0]);
    const parts = new Dict({ image: box([2, 2, 1], 0, 255), speed: box([1], 0, 255) });
    expect(inputOf(parts, [0, 51, 102, 255, 51], false)).toEqual([0, 51, 102, 255, 51]);
    expect(inputOf(parts, [0, 51, 102, 255, 51])[3]).toBe(1);
  });

  it("are scaled to [0, 1] by their bounds, and left alone without", () => {
    expect(inputOf(box([2, 2, 1], -5, 15), [-5, 5, 15, 0])).toEqual([0, 0.5, 1, 0.25]);
    const infinite = box([2, 2, 1], 0, Number.POSITIVE_INFINITY);
    expect(inputOf(infinite, [1, 7, 0, 3])).toEqual([1, 7, 0, 3]);
  });

  it("that can only have one value are 0", () => {
    expect(inputOf(box([2, 2, 1], 7, 7), [7, 7, 7, 7])).toEqual([0, 0, 0, 0]);
  });

  it("stand beside vectors, which stay as they are", () => {
    const space = new Dict({ image: box([2, 2, 1]), numbers: box([2]) });
    const observation = space.parts[0]?.key === "image" ? [0, 5, 10, 1, 8, 9] : [8, 9, 0, 5, 10, 1];
    const expected = space.parts[0]?.key === "image" ? [0, 0.5, 1, 0.1, 8, 9] : [8, 9, 0, 0.5, 1, 0.1];
    inputOf(space, observation).forEach((x, i) => expect(x).toBeCloseTo(expected[i] as number, 6));
  });
});
