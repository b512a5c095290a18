/** Near ties: which members are evaluated again before ranks decide. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HalvingSelection, TruncationSelection } from "../../../src/evolution/index.ts";
import { nearTies, standardError } from "../../../src/evolution/nearTies.ts";
import { ranking } from "../../../src/evolution/SelectionStrategy.ts";
import { Member } from "../support.ts";

const members = (fitnesses: readonly number[]): Member[] =>
  fitnesses.map((fitness, index) => new Member(index, [fitness]));
const tied = (fitnesses: readonly number[], errors: readonly number[], boundaries: readonly number[]) =>
  nearTies(boundaries, {
    ranked: ranking(fitnesses),
    histories: fitnesses.map((fitness) => [fitness]),
    errors,
    window: 1,
  });

describe("the standard error of an evaluation", () => {
  it("is that of the mean of its episodes, and unknown for a single one", () => {
    expect(standardError([1, 2, 3, 4])).toBeCloseTo(Math.sqrt(5 / 3) / 2, 12);
    expect(standardError([7, 7, 7])).toBe(0);
    expect(standardError([7])).toBeNaN();
    expect(standardError([1e308, 1.6e308]) / 3e307).toBeCloseTo(1, 12);
    expect(standardError([-1.7e308, 1.7e308]) / 1.7e308).toBeCloseTo(1, 12);
    expect(standardError([])).toBeNaN();
  });
});

describe("near ties", () => {
  it("are those whose difference is at most its standard error, across the boundary", () => {
    // 3 and 4 are the combined errors of a difference of 5.
    expect(tied([10, 5], [3, 4], [1])).toEqual([0, 1]);
    expect(tied([10.001, 5], [3, 4], [1])).toEqual([]);
    expect(tied([10, 9, 1, 0], [1, 1, 1, 1], [2])).toEqual([]);
    expect(tied([10, 9, 8, 0], [1, 1, 1, 1], [2])).toEqual([1, 2]);
    // One whose own evaluation was uncertain, beside the last that stays.
    expect(tied([10, 9, 8, 0], [9, 0.1, 0.1, 0.1], [2])).toEqual([0, 2]);
  });

  it("are compared in numbers whose squares are beyond f64", () => {
    expect(tied([1e200, 0], [1e180, 1e180], [1])).toEqual([]);
    expect(tied([1e200, 0], [1e200, 1e180], [1])).toEqual([0, 1]);
  });

  it("have a spread: equals without any would be equal again", () => {
    expect(tied([10, 10], [0, 0], [1])).toEqual([]);
    expect(tied([10, 10], [Number.NaN, Number.NaN], [1])).toEqual([]);
    expect(tied([10, 10], [0, 1], [1])).toEqual([0, 1]);
  });

  it("count evaluations of a window as that many", () => {
    const of = (window: number) =>
      nearTies([1], {
        ranked: [0, 1],
        histories: [
          [10, 10, 10, 10],
          [9, 9, 9, 9],
        ],
        errors: [1, 1],
        window,
      });
    expect([of(1), of(2), of(4)]).toEqual([[0, 1], [0, 1], []]);
  });

  it("leave out only members that more episodes could hardly move across a boundary", () => {
    const sizes = fc.record({
      fitnesses: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 10 }),
      error: fc.double({ min: 0.1, max: 4, noNaN: true }),
    });
    fc.assert(
      fc.property(sizes, ({ fitnesses, error }) => {
        const errors = fitnesses.map(() => error);
        const population = members(fitnesses);
        const selection = new TruncationSelection({ population_size: population.length });
        const found = selection.contested(population, errors);
        const ranked = ranking(fitnesses);
        const count = Math.floor(ranked.length / 4);
        const isNear = (one: number, other: number): boolean =>
          ((fitnesses[one] ?? 0) - (fitnesses[other] ?? 0)) ** 2 <= 2 * error ** 2;
        const near = [count, ranked.length - count].flatMap((boundary) =>
          ranked
            .slice(0, boundary)
            .flatMap((inside) =>
              ranked.slice(boundary).flatMap((outside) => (isNear(inside, outside) ? [inside, outside] : [])),
            ),
        );
        // With errors alike, these are all pairs across a boundary that are near each other.
        expect(found).toEqual([...new Set(near)].sort((a, b) => a - b));
      }),
    );
  });
});

describe("strategies ask about near ties", () => {
  const errors = Array<number>(8).fill(1);

  it("of truncation: among the copied and the others, the replaced and the others", () => {
    const selection = new TruncationSelection({ population_size: 8 });
    expect(selection.contested(members([80, 70, 69, 50, 40, 30, 29, 10]), errors)).toEqual([1, 2, 5, 6]);
    expect(selection.contested(members([80, 70, 60, 50, 40, 30, 20, 10]), errors)).toEqual([]);
    // With members that failed, these are replaced: nobody else is.
    const failed = [80, 70, 60, 50, 40, 39.5, Number.NaN, Number.NaN];
    expect(selection.contested(members(failed), errors)).toEqual([]);
    expect(selection.contested(members([80, 79, 70, 60]), errors, { resting: [0, 1, 2, 3] })).toEqual([]);
  });

  it("of halving: at a cut, then of the selection that follows", () => {
    const followed_by = new TruncationSelection({ population_size: 4 });
    const selection = new HalvingSelection({ population_size: 8, smallest: 4, rung: 3, followed_by });
    const population = members([80, 79.5, 60, 50, 49.5, 30, 20, 10]);
    const resting = [4, 5, 6, 7];
    expect(selection.contested(population, errors, { generation: 2 })).toEqual([]);
    expect(selection.contested(population, errors, { generation: 3 })).toEqual([3, 4]);
    expect(selection.contested(population, errors, { generation: 4, resting })).toEqual([0, 1]);
    const alone = new HalvingSelection({ population_size: 8 });
    expect(alone.contested(population, errors, { generation: 4, resting })).toEqual([]);
  });
});
