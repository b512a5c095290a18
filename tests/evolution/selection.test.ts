import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fitnessOf,
  HalvingSelection,
  MultiFrequencySelection,
  ranking,
  type SelectionStrategy,
  TournamentSelection,
  TruncationSelection,
} from "../../src/evolution/index.ts";
import { isFitter } from "../../src/evolution/members.ts";
import { TournamentSelectionSpec } from "../../src/evolution/selections.ts";
import { Member } from "./support.ts";

const population = (fitnesses: readonly number[]): Member[] =>
  fitnesses.map((fitness, i) => new Member(10 + i, [0, fitness]));
const fitness = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(Number.NaN), fc.constant(-Infinity));
const selection = (options: Partial<ConstructorParameters<typeof TournamentSelection>[0]> = {}) =>
  new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 6, ...options });

describe("TournamentSelection", () => {
  it("keeps the elite first under its identity; the others are copies with fresh, unique identities", () => {
    fc.assert(
      fc.property(
        fc.array(fitness, { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        (fitnesses, elitism, population_size, rand_seed) => {
          const members = population(fitnesses);
          const result = selection({ elitism, population_size, rand_seed }).select(members, {
            generation: 3,
          });
          const best = members[ranking(fitnesses)[0] as number] as Member;
          expect([result.elite.index, result.elite.parent]).toEqual([best.index, best.index]);
          expect(result.population).toHaveLength(population_size);
          const fresh = elitism ? result.population.slice(1) : result.population;
          expect(result.population[0]?.index === best.index).toBe(elitism);
          const highest = Math.max(...members.map((m) => m.index));
          expect(fresh.map((m) => m.index)).toEqual(fresh.map((_, i) => highest + 1 + i));
          for (const member of fresh) {
            const parent = members.find((m) => m.index === member.parent) as Member;
            expect(member.fitness).toEqual(parent.fitness);
            expect(member.fitness).not.toBe(parent.fitness);
            const hasOther = fitnesses.some((f) => !Number.isNaN(f));
            expect(hasOther && Number.isNaN(parent.fitness[1])).toBe(false);
          }
          expect(result.population).not.toContain(result.elite);
          expect(result.indices).toBeNull();
        },
      ),
    );
  });

  it("prefers the fitter: with k draws of n the i-th best wins in proportion to (n-i)^k - (n-i-1)^k", () => {
    const members = population([4, 3, 2, 1]);
    const wins = [0, 0, 0, 0];
    const rounds = 1500;
    for (let generation = 0; generation < rounds; generation++) {
      const result = selection({ elitism: false, population_size: 4 }).select(members, { generation });
      for (const { parent } of result.population)
        wins[(parent ?? 0) - 10] = (wins[(parent ?? 0) - 10] ?? 0) + 1;
    }
    wins.forEach((count, i) => {
      expect(Math.abs(count / (4 * rounds) - ((4 - i) ** 2 - (3 - i) ** 2) / 16)).toBeLessThan(0.03);
    });
  });

  it("draws the same for the same seed and generation, slot by slot", () => {
    const parents = (options: { rand_seed?: number; population_size?: number }, generation = 1) =>
      selection(options)
        .select(population([1, 5, 2, 4, 3, 0]), { generation })
        .population.map((m) => m.parent);
    expect(parents({})).toEqual(parents({}));
    expect(parents({ population_size: 4 })).toEqual(parents({}).slice(0, 4));
    const all = [0, 1, 2, 3].map((generation) => parents({}, generation).join());
    expect(new Set(all).size).toBeGreaterThan(1);
    expect(new Set([7, 8, 9].map((rand_seed) => parents({ rand_seed }).join())).size).toBeGreaterThan(1);
  });

  it("ranks by the last evaluation, or by the mean of the last eval_loop", () => {
    const members = [new Member(0, [9, 9, 1]), new Member(1, [0, 0, 2])];
    expect(selection().select(members).elite.index).toBe(1);
    expect(selection({ eval_loop: 3 }).select(members).elite.index).toBe(0);
  });

  it("ranks NaN and members without evaluation last, and gives ties to the earlier slot", () => {
    expect(ranking([Number.NaN, 1, -Infinity, 1, Number.NaN, 2])).toEqual([5, 1, 3, 2, 0, 4]);
    const unevaluated = [new Member(3, []), new Member(4, [-1])];
    expect(selection().select(unevaluated).elite.index).toBe(4);
  });

  it("refuses sizes below 1 and an empty population", () => {
    expect(() => selection({ tournament_size: 0 })).toThrow(/tournament_size: found 0/);
    expect(() => selection({ population_size: 0 })).toThrow(/population_size: found 0/);
    expect(() => selection().select([])).toThrow(/empty/);
  });

  it("comes from its specification", () => {
    const spec = TournamentSelectionSpec.parse({ tournament_size: 3, elitism: false });
    expect(TournamentSelection.fromSpec(spec, { population_size: 5, rand_seed: 1 })).toMatchObject({
      tournament_size: 3,
      elitism: false,
      population_size: 5,
      rand_seed: 1,
    });
  });
});

describe("fitness of any kind", () => {
  const kinds = fc.oneof(
    fc.constantFrom(Number.NaN, -Infinity, Infinity, 1e308, 1.7e308, -1.7e308, 0, -0),
    fc.integer({ min: -3, max: 3 }),
  );
  const histories = fc.array(fc.array(kinds, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 8 });
  const sizes = { population_size: 8, rand_seed: 1 };
  const strategies: [string, (eval_loop: number) => SelectionStrategy][] = [
    [
      "tournaments",
      (eval_loop) => new TournamentSelection({ ...sizes, tournament_size: 3, elitism: true, eval_loop }),
    ],
    ["truncation", (eval_loop) => new TruncationSelection({ ...sizes, eval_loop })],
    ["halving", (eval_loop) => new HalvingSelection({ population_size: 8, eval_loop })],
    ["multi-frequency", (eval_loop) => new MultiFrequencySelection({ ...sizes, eval_loop })],
  ];

  it("has a mean between its least and its greatest", () => {
    const finite = fc.oneof(
      fc.constantFrom(1e308, 1.7e308, -1.7e308),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 3 }), (history) => {
        const mean = fitnessOf(history, 3);
        const slack = 1e-12 * Math.max(...history.map(Math.abs));
        expect(mean).toBeGreaterThanOrEqual(Math.min(...history) - slack);
        expect(mean).toBeLessThanOrEqual(Math.max(...history) + slack);
      }),
    );
    expect(fitnessOf([1.5e308, 1.5e308], 2)).toBeGreaterThan(fitnessOf([1e308, 1.2e308], 2));
  });

  it.each(strategies)(
    "is ranked by %s: a member that failed comes last, and is never copied beside another",
    (name, of) => {
      fc.assert(
        fc.property(histories, fc.integer({ min: 1, max: 3 }), (all, window) => {
          const population = all.map((history, index) => new Member(index, history));
          const scores = all.map((history) => fitnessOf(history, window));
          const { elite, population: next, resting = [] } = of(window).select(population, { generation: 1 });
          expect(next).toHaveLength(8);
          const best = scores[elite.index] as number;
          expect(scores.some((score) => isFitter(score, best))).toBe(false);
          // A subpopulation of which all failed has no other to copy.
          const peersOf = (slot: number) =>
            name === "multi-frequency" ? scores.slice(slot < 4 ? 0 : 4, slot < 4 ? 4 : 8) : scores;
          const parents = next.flatMap(({ index, parent }) => (index < 8 || parent === null ? [] : [parent]));
          const failed = parents.filter((slot) => Number.isNaN(scores[slot]));
          expect(failed.flatMap(peersOf).every(Number.isNaN)).toBe(true);
          const rested = resting.filter((slot) => !Number.isNaN(all[slot]?.at(-1)));
          const active = scores.filter((_score, slot) => !resting.includes(slot));
          for (const slot of rested)
            expect(active.some((score) => isFitter(scores[slot] as number, score))).toBe(false);
        }),
      );
    },
  );
});
