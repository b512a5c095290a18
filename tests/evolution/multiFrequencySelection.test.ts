import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MultiFrequencySelection,
  type MultiFrequencySelectionOptions,
  RLParameter,
  ranking,
} from "../../src/evolution/index.ts";
import { HyperparameterConfig } from "../../src/evolution/members.ts";
import { MultiFrequencySelectionSpec } from "../../src/manifests/index.ts";
import { Member } from "./support.ts";

const hp_config = new HyperparameterConfig({ lr: new RLParameter({ min: 0, max: 1 }) });

/** Members with identities from 10, each with a learning rate of its own and one that may not mutate. */
const population = (fitnesses: readonly number[]): Member[] =>
  fitnesses.map(
    (fitness, i) =>
      new Member(10 + i, [fitness], { hp_config, hyperparameters: { lr: (10 + i) / 1000, gamma: 10 + i } }),
  );
const selection = (options: Partial<MultiFrequencySelectionOptions> = {}) =>
  new MultiFrequencySelection({ population_size: 8, ...options });
const parentsOf = (members: readonly Member[]) => members.map(({ parent }) => parent);
const rates = (members: readonly Member[]) =>
  members.map(({ hyperparameters }) => Math.round(1000 * (hyperparameters.lr ?? 0)));

// Eight members in two subpopulations of four: 1 winner, 1 open, 2 losers each. By fitness, slots 2, 0, 3, 1 of
// the first and 5, 6, 4, 7 of the second.
const FITNESS = [30, 5, 40, 10, 12, 60, 35, 8];

describe("MultiFrequencySelection", () => {
  it("evolves the fast subpopulation alone in most generations", () => {
    const { elite, population: next, indices } = selection().select(population(FITNESS), { generation: 1 });
    expect(elite.index).toBe(15);
    // Slots 3 and 1 lose to the winner in slot 2. Slot 0 (30) is open: the best outside, slot 5 (60), is fitter.
    expect(parentsOf(next)).toEqual([15, 12, 12, 12, 14, 15, 16, 17]);
    expect(next.map(({ index }) => index)).toEqual([20, 19, 12, 18, 14, 15, 16, 17]);
    expect(indices).toEqual([1, 3]);
    // A migrant from the slower subpopulation brings its hyperparameters.
    expect(rates(next)).toEqual([15, 12, 12, 12, 14, 15, 16, 17]);
  });

  it("evolves both when the slow one is due, from members as they were evaluated", () => {
    const { population: next, indices } = selection().select(population(FITNESS), { generation: 5 });
    // In the second, slots 4 and 7 lose to slot 5. Slot 6 (35) is open: the best outside is slot 2 (40).
    expect(parentsOf(next)).toEqual([15, 12, 12, 12, 15, 15, 12, 15]);
    expect(indices).toEqual([1, 3, 4, 7]);
    // The migrant comes from the faster one: its weights, with the learning rate of the best winner here.
    expect(rates(next)).toEqual([15, 12, 12, 12, 15, 15, 15, 15]);
    expect(next[6]?.hyperparameters.gamma).toBe(12);
  });

  it("keeps an open member that no migrant beats, and offers the same migrant to the next", () => {
    // Six in each: 2 winners, 2 open, 2 losers. Open in the first: slots 2 (50) and 3 (20); outside: 45, 30, ...
    const fitnesses = [90, 80, 50, 20, 2, 1, 45, 30, 15, 14, 13, 12];
    const { population: next } = selection({ population_size: 12 }).select(population(fitnesses), {
      generation: 1,
    });
    expect(parentsOf(next).slice(0, 4)).toEqual([10, 11, 12, 16]);
  });

  it("takes each migrant once", () => {
    const fitnesses = [90, 80, 5, 4, 2, 1, 45, 30, 15, 14, 13, 12];
    const { population: next } = selection({ population_size: 12 }).select(population(fitnesses), {
      generation: 1,
    });
    expect(parentsOf(next).slice(2, 4)).toEqual([16, 17]);
    // An equally fit migrant is not better.
    const equal = [90, 80, 45, 4, 2, 1, 45, 30, 15, 14, 13, 12];
    const kept = selection({ population_size: 12 }).select(population(equal), { generation: 1 });
    expect(parentsOf(kept.population).slice(2, 4)).toEqual([12, 16]);
  });

  it("leaves survivors alone", () => {
    const options = { population_size: 8, n_winners: 1, n_survivors: 1, n_open_for_migration: 1 };
    const { population: next, indices } = selection(options).select(population(FITNESS), { generation: 1 });
    // Ranked 2, 0, 3, 1: a winner, a survivor, one open (10 < 60), one loser.
    expect(parentsOf(next).slice(0, 4)).toEqual([10, 12, 12, 15]);
    expect(indices).toEqual([1]);
  });

  it("copies a member without fitness only when there is no other, and replaces it", () => {
    const failed = [Number.NaN, 5, 40, 10, 12, 60, 35, 8];
    const { population: next, elite } = selection().select(population(failed), { generation: 1 });
    expect(elite.index).toBe(15);
    // Ranked 2, 3, 1, 0: slot 3 is open, slots 1 and 0 lose.
    expect(parentsOf(next).slice(0, 4)).toEqual([12, 12, 12, 15]);
    const none = Array<number>(8).fill(Number.NaN);
    expect(() => selection().select(population(none), { generation: 1 })).not.toThrow();
    const lost = [Number.NaN, Number.NaN, Number.NaN, Number.NaN, 1, 2, 3, 4];
    const rescued = selection().select(population(lost), { generation: 1 }).population;
    expect(parentsOf(rescued)[1]).toBe(17);
  });

  it("draws a loser's winner by seed, slot and generation alone", () => {
    const fitnesses = Array.from({ length: 40 }, (_, i) => 100 - i);
    const parents = (rand_seed: number, generation: number) =>
      parentsOf(
        selection({ population_size: 40, rand_seed }).select(population(fitnesses), { generation })
          .population,
      ).join();
    expect(parents(1, 1)).toBe(parents(1, 1));
    expect(new Set([1, 2, 3].map((seed) => parents(seed, 1))).size).toBeGreaterThan(1);
    expect(new Set([1, 2, 3].map((generation) => parents(1, generation))).size).toBeGreaterThan(1);
  });

  it("gives every replaced member a fresh identity in its own subpopulation, whatever the fitness", () => {
    const fitness = fc.oneof(
      fc.integer({ min: -9, max: 9 }),
      fc.constant(Number.NaN),
      fc.constant(-Infinity),
    );
    const layouts = fc.constantFrom<[number, number]>([6, 2], [8, 2], [9, 3], [12, 2], [16, 4]);
    fc.assert(
      fc.property(
        layouts.chain(([size, parts]) =>
          fc.tuple(fc.array(fitness, { minLength: size, maxLength: size }), fc.constant(parts)),
        ),
        fc.integer({ min: 1, max: 30 }),
        (values: readonly [readonly number[], number], generation) => {
          const [fitnesses, n_subpopulations] = values;
          const strategy = selection({ population_size: fitnesses.length, n_subpopulations });
          const members = population(fitnesses);
          const { elite, population: next, indices } = strategy.select(members, { generation });
          expect(elite.index).toBe(members[ranking(fitnesses)[0] ?? -1]?.index);
          expect(new Set(next.map(({ index }) => index)).size).toBe(next.length);
          const due = (slot: number) =>
            generation % (strategy.evolution_frequency_ratios[strategy.subpopulationOf(slot)] ?? 0) === 0;
          const slots = members.map((_, slot) => slot);
          const waiting = slots.filter((slot) => !due(slot));
          expect(waiting.map((slot) => next[slot]?.index)).toEqual(waiting.map((slot) => 10 + slot));
          const evolving = new Set(slots.filter(due).map((slot) => strategy.subpopulationOf(slot)));
          expect(indices).toHaveLength(evolving.size * strategy.n_losers);
          const homeOf = (index: number | null | undefined) => strategy.subpopulationOf((index ?? 0) - 10);
          const losers = indices ?? [];
          expect(losers.map((slot) => homeOf(next[slot]?.parent))).toEqual(
            losers.map(strategy.subpopulationOf, strategy),
          );
          for (const [slot, member] of next.entries()) {
            expect(members.some(({ index }) => index === member.parent)).toBe(true);
            expect(members).not.toContain(member);
            // In its place under its own identity, or new.
            expect(member.index === 10 + slot || member.index >= 10 + members.length).toBe(true);
          }
          // The best member of all is never lost.
          expect(next.some(({ parent, index }) => parent === elite.index && index === elite.index)).toBe(
            true,
          );
        },
      ),
    );
  });

  it.each([
    [{ population_size: 5 }, "population_size: found 5; multi_frequency selection needs at least 6 agents"],
    [{ population_size: 7 }, "population_size: found 7; must be a multiple of n_subpopulations (2)"],
    [{ population_size: 6, n_subpopulations: 3 }, "n_subpopulations: found 3"],
    [{ n_winners: 3 }, "n_losers: winners 3"],
    [{ n_winners: 0 }, "n_winners: found 0"],
    [
      { evolution_frequency_ratios: [2, 2] },
      "evolution_frequency_ratios: found [2, 2]; must be strictly increasing",
    ],
    [{ evolution_frequency_ratios: [1] }, "evolution_frequency_ratios: found 1 items"],
    [{ eval_loop: 0 }, "eval_loop: found 0"],
  ])("refuses %o", (options, message) => {
    expect(() => selection(options)).toThrow(`MultiFrequencySelection.${message}`);
  });

  it("refuses a population of another size", () => {
    expect(() => selection().select(population([1, 2, 3]))).toThrow("found 3 members, allowed 8");
  });

  it("comes from its specification", () => {
    const spec = MultiFrequencySelectionSpec.parse({ strategy: "multi_frequency", name: "two speeds" });
    const strategy = MultiFrequencySelection.fromSpec(spec, { population_size: 16, rand_seed: 7 });
    expect(strategy).toMatchObject({
      n_winners: 2,
      n_survivors: 0,
      n_open_for_migration: 2,
      n_losers: 4,
      evolution_frequency_ratios: [1, 5],
      rand_seed: 7,
    });
    expect([0, 7, 8, 15].map((slot) => strategy.subpopulationOf(slot))).toEqual([0, 0, 1, 1]);
  });
});
