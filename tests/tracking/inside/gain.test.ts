import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/evolution/random.ts";
import { type Change, type Gain, gainsOf, gainText, summaryOf } from "../../../src/tracking/gain.ts";
import { isEvidence, meanInterval, studentQuantile } from "../../../src/tracking/interval.ts";

const evaluation = fc.record({
  fitness: fc.integer({ min: -1000, max: 1000 }),
  error: fc.integer({ min: 0, max: 50 }),
  episodes: fc.integer({ min: 2, max: 9 }),
});

/** Members whose parents are one of three, each with one evaluation before. */
const generations = fc
  .record({
    parents: fc.array(evaluation, { minLength: 3, maxLength: 3 }),
    children: fc.array(fc.record({ origin: fc.nat({ max: 2 }), to: evaluation, mutated: fc.boolean() }), {
      maxLength: 9,
    }),
  })
  .map(({ parents, children }) =>
    children.map(({ origin, ...rest }): Change => ({ origin, from: parents[origin] ?? rest.to, ...rest })),
  );

const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
/** Without the last bits of a sum, and without -0. */
const rounded = (value: number): number => Math.round(1e6 * value) / 1e6 + 0;
const changeOf = ({ from, to }: Change): number => to.fitness - from.fitness;

describe("the gains of a generation", () => {
  it("are changes beyond those of unmutated siblings, or else of all unmutated members", () => {
    fc.assert(
      fc.property(generations, (changes) => {
        const still = changes.filter(({ mutated }) => !mutated);
        const expected = changes.map((own) => {
          if (!own.mutated || still.length === 0) return null;
          const siblings = still.filter(({ origin }) => origin === own.origin);
          const references = siblings.length > 0 ? siblings : still;
          return rounded(changeOf(own) - average(references.map(changeOf)));
        });
        expect(gainsOf(changes).map((gain) => gain && rounded(gain.value))).toEqual(expected);
      }),
    );
  });

  it("do not depend on the level of fitness, and scale with it", () => {
    fc.assert(
      fc.property(generations, fc.integer({ min: -500, max: 500 }), (changes, level) => {
        const moved = (factor: number, shift: number) =>
          gainsOf(
            changes.map(({ from, to, ...rest }) => {
              const [before, after] = [from, to].map(({ fitness, error, episodes }) => ({
                fitness: factor * fitness + shift,
                error: factor * error,
                episodes,
              }));
              return { ...rest, from: before ?? from, to: after ?? to };
            }),
          );
        const plain = moved(1, 0);
        for (const [slot, gain] of moved(1, level).entries()) {
          expect(gain?.value ?? 0).toBeCloseTo(plain[slot]?.value ?? 0, 9);
          expect(gain?.margin ?? 0).toBeCloseTo(plain[slot]?.margin ?? 0, 9);
        }
        for (const [slot, gain] of moved(2, 0).entries())
          expect(gain?.margin ?? 0).toBeCloseTo(2 * (plain[slot]?.margin ?? 0), 9);
      }),
    );
  });

  it("have the larger error of the episodes and of the spread among siblings, or none", () => {
    const change = (fitness: number, mutated: boolean, error: number, episodes = 10): Change => ({
      origin: 0,
      from: { fitness: 0, error: 99, episodes },
      to: { fitness, error, episodes },
      mutated,
    });
    const errorOf = (...changes: Change[]) => gainsOf(changes)[0]?.error;
    expect(errorOf(change(9, true, 3), change(0, false, 4))).toBe(5);
    expect(errorOf(change(9, true, 0), change(0, false, 0), change(2, false, 0))).toBeCloseTo(
      Math.sqrt(3),
      12,
    );
    expect(errorOf(change(9, true, Number.NaN, 1), change(0, false, Number.NaN, 1))).toBeNaN();
  });
});

const known = (value: number, error = Number.NaN): Gain => ({ value, error, margin: 2 * error });

describe("gains together", () => {
  it("have their mean and number", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: -99, max: 99 }), { maxLength: 4 })), (lists) => {
        const found = summaryOf(lists.map((values) => values.map((value) => known(value))));
        const all = lists.flat();
        expect(found.gains).toBe(all.length);
        expect(rounded(found.gain ?? 0)).toBe(rounded(all.length === 0 ? 0 : average(all)));
        expect(found.gain === null).toBe(all.length === 0);
        const generations = lists.filter(({ length }) => length > 0).length;
        expect(found.gain_interval === null).toBe(generations < 2);
      }),
    );
  });

  it("of one each in many generations have the standard error of a mean", () => {
    const values = [3, 8, 1, 9, 4];
    const found = summaryOf(values.map((value) => [known(value)]));
    const [low, high] = meanInterval(values) ?? [];
    expect(found.gain_interval?.[0]).toBeCloseTo(low ?? 0, 9);
    expect(found.gain_interval?.[1]).toBeCloseTo(high ?? 0, 9);
  });

  it("of one generation, which share what they are compared with, are as uncertain as one", () => {
    const found = summaryOf([[known(4, 1), known(6, 1)]]);
    expect(found).toEqual({ gains: 2, gain: 5, gain_error: 1, gain_interval: [3, 7] });
  });

  it("of mutations without effect are rarely evidence, and those of a large one nearly always", () => {
    const random = new Random({ seed: 3 });
    const runs = 400;
    const found = [0, 4].map((effect) => {
      const evident = Array.from({ length: runs }, () =>
        isEvidence(
          summaryOf(
            Array.from({ length: 8 }, () => {
              const level = 100 * random.uniform();
              const changes = [true, true, false, false].map((mutated): Change => {
                const fitness = level + random.normal() + (mutated ? effect : 0);
                const of = { error: Number.NaN, episodes: 1 };
                return { origin: 0, from: { ...of, fitness: level }, to: { ...of, fitness }, mutated };
              });
              return gainsOf(changes).filter((gain) => gain !== null);
            }),
          ).gain_interval,
        ),
      );
      return evident.filter(Boolean).length / runs;
    });
    expect(found[0]).toBeLessThan(0.08);
    expect(found[1]).toBeGreaterThan(0.95);
  });

  it("are told as evidence only if their interval leaves out 0", () => {
    const format = (value: number) => value.toFixed(0);
    const told = (gain: number, gain_interval: readonly [number, number] | null) =>
      gainText({ gain, gain_interval, gain_error: null, gains: 4 }, format);
    expect(told(5, [1, 9])).toBe("5 [1, 9], n = 4");
    expect(told(5, [-1, 11])).toBe("not enough evidence (5 [-1, 11], n = 4)");
    expect(told(5, [0, 10])).toMatch(/^not enough evidence/);
    expect(told(5, null)).toBe("not enough evidence (5, n = 4)");
    expect(gainText(summaryOf([]), format)).toBeNull();
  });
});

describe("Student's quantiles", () => {
  it("are those of tables", () => {
    const table = { 1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 7: 2.365, 15: 2.131, 60: 2.0, 1e6: 1.96 };
    for (const [freedom, quantile] of Object.entries(table))
      expect(Math.abs(studentQuantile(Number(freedom)) / quantile - 1)).toBeLessThan(0.002);
  });
});
