/** What every strategy of selection does that a manifest can name. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SELECTIONS, SelectionStrategySpec } from "../../src/evolution/selections.ts";
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
const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(Number.NaN, -Infinity, 1e308));
const anyGeneration = fc.array(fc.array(value, { minLength: MEMBERS, maxLength: MEMBERS }), {
  minLength: 1,
  maxLength: 12,
});

describe.each(SELECTIONS.map((definition) => [definition.strategy, definition] as const))(
  "%s",
  (name, definition) => {
    const parsed = SelectionStrategySpec.parse({ strategy: name });
    const fitted = definition.fit?.(parsed, MEMBERS) ?? { spec: parsed };
    const create = () => definition.create("spec" in fitted ? fitted.spec : parsed, run);

    it("returns a whole generation with the fittest as elite, the same for a new object in each generation", () => {
      fc.assert(
        fc.property(anyGeneration, (generations) => {
          const strategy = create();
          let members = Array.from({ length: MEMBERS }, (_, index) => new Member(index, []));
          let resting: readonly number[] = [];
          for (const [at, fitnesses] of generations.entries()) {
            const evaluated = members.map(
              (member, slot) => new Member(member.index, [...member.fitness, fitnesses[slot] ?? 0]),
            );
            const options = { generation: at + 1, resting };
            const result = strategy.select(evaluated, options);
            expect(create().select(evaluated, options)).toEqual(result);
            const active = fitnesses.filter(
              (fitness, slot) => !Number.isNaN(fitness) && !resting.includes(slot),
            );
            const best = active.length > 0 ? Math.max(...active) : result.elite.fitness.at(-1);
            expect(result.elite.fitness.at(-1)).toBe(best);
            expect(result.population).toHaveLength(MEMBERS);
            expect(new Set(result.population.map(({ index }) => index)).size).toBe(MEMBERS);
            resting = result.resting ?? [];
            expect(resting.length).toBeLessThan(MEMBERS);
            members = result.population;
          }
        }),
      );
    });
  },
);
