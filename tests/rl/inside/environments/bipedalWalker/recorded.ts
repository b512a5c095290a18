/**
 * Facts recorded from Gymnasium 1.3 with Box2D 2.3.10: what its generator drew for four terrains, the terrains, the
 * first observations of an episode on each, and single steps from states of random and walking episodes. For single
 * steps the bodies were placed in a new world, as `setState` does. Actions of trajectories last three steps each.
 */
import type { Draws } from "../../../../../src/rl/environments/face/EpisodicEnvironment.ts";
import json from "./recorded.json";

interface Recorded {
  readonly terrains: readonly {
    readonly hardcore: boolean;
    /** Uniform numbers in [0, 1) and integers, in order. */
    readonly draws: readonly number[];
    /** The draw of the first push, after those of the clouds. */
    readonly push: number;
    readonly heights: readonly number[];
    /** X and y of the lower left corner, width, height. */
    readonly boxes: readonly (readonly number[])[];
  }[];
  readonly trajectories: readonly {
    readonly terrain: number;
    readonly actions: readonly (readonly number[])[];
    /** Observations after OBSERVED steps. */
    readonly observations: readonly (readonly number[])[];
    readonly rewards: readonly number[];
  }[];
  readonly steps: readonly {
    readonly terrain: number;
    readonly bodies: readonly number[];
    readonly standing: readonly number[];
    readonly action: readonly number[];
    readonly observation: readonly number[];
    readonly reward: number;
    readonly terminated: boolean;
  }[];
}

export const recorded: Recorded = json;
/** Steps after which trajectories have observations; 0 is the reset. */
export const OBSERVED = [0, 1, 4, 8, 16, 24];

/** Draws these numbers one after another. @throws Error when none is left, or an integer is out of range. */
export function replay(numbers: readonly number[]): Draws & { readonly left: () => number } {
  let taken = 0;
  const uniform = (): number => {
    const number = numbers[taken++];
    if (number === undefined) throw new Error("more draws than recorded");
    return number;
  };
  const integer = (n: number): number => {
    const number = uniform();
    if (!Number.isInteger(number) || number >= n) throw new Error(`recorded ${number}, not below ${n}`);
    return number;
  };
  return { uniform, integer, left: () => numbers.length - taken };
}

/** Differences of two vectors, each relative to 1 + |expected|. */
export const differences = (found: ArrayLike<number>, expected: readonly number[]): number[] =>
  expected.map((value, i) => Math.abs((found[i] ?? Number.NaN) - value) / (1 + Math.abs(value)));
