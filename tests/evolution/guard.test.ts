/** The guard of the given values. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SelectionStrategySpec, selectionDefinition } from "../../src/evolution/selections.ts";
import { Member } from "./support.ts";

const MEMBERS = 8;
const run = {
  population_size: MEMBERS,
  rand_seed: 3,
  eval_loop: 1,
  steps: 12,
  evolve_every: 1,
  isShared: false,
};
const RACE = { strategy: "halving", smallest: 2, rung: 2, followed_by: "truncation", quantile: 0.5 } as const;
const SECTIONS = [{ strategy: "truncation" }, RACE] as const;
const made = (section: (typeof SECTIONS)[number], guard: boolean) => {
  const spec = SelectionStrategySpec.parse({ ...section, guard });
  return selectionDefinition(spec).create(spec, run);
};
const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(Number.NaN));
const error = fc.oneof(fc.constantFrom(0, 0.5, 2), fc.constant(Number.NaN));
const each = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: MEMBERS, maxLength: MEMBERS });
const evaluations = fc.array(fc.tuple(each(value), each(error)), { minLength: 1, maxLength: 12 });

describe.each(SECTIONS.map((section) => [section.strategy, section] as const))("%s", (_name, section) => {
  it("leaves the first member as it is while no other is fitter by more than the error", () => {
    fc.assert(
      fc.property(evaluations, (generations) => {
        const strategy = made(section, true);
        let members = Array.from({ length: MEMBERS }, (_, index) => new Member(index, []));
        let resting: readonly number[] = [];
        expect(strategy.guarded?.(members, [])).toEqual([0]);
        for (const [at, [fitnesses, errors]] of generations.entries()) {
          const evaluated = members.map(
            ({ index, fitness, ...rest }, slot) =>
              new Member(index, [...fitness, fitnesses[slot] ?? 0], rest),
          );
          const [own = Number.NaN, ofOwn = Number.NaN] = [fitnesses[0], errors[0]];
          const beaten = fitnesses.some(
            (other, slot) =>
              !resting.includes(slot) && other - own > Math.hypot(errors[slot] ?? Number.NaN, ofOwn),
          );
          const stays = evaluated[0]?.index === 0 && !resting.includes(0) && !Number.isNaN(own) && !beaten;
          const guarded = strategy.guarded?.(evaluated, errors, { resting });
          expect(guarded).toEqual(stays ? [0] : []);
          const result = strategy.select(evaluated, { generation: at + 1, resting, guarded });
          const found = [
            result.population[0]?.index,
            result.indices?.includes(0),
            result.resting?.includes(0),
          ];
          expect(stays ? found : [0, false, false]).toEqual([0, false, false]);
          const { hyperparameters } = (stays ? result.population : evaluated)[0] as Member;
          expect(hyperparameters).toEqual(evaluated[0]?.hyperparameters);
          const most = strategy.activeIn?.(at + 2) ?? MEMBERS;
          expect(MEMBERS - (result.resting?.length ?? 0)).toBeLessThanOrEqual(most);
          members = result.population;
          resting = result.resting ?? [];
        }
      }),
    );
  });

  it("guards nobody unless asked to", () => {
    const members = Array.from({ length: MEMBERS }, (_, index) => new Member(index, [0]));
    expect(
      made(section, false).guarded?.(
        members,
        members.map(() => 1),
      ),
    ).toEqual([]);
  });
});
