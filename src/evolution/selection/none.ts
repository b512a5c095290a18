import { z } from "zod";
import { field } from "../../specs/checks.ts";
import type { Evolvable } from "../Evolvable.ts";
import {
  fitnessOf,
  ranking,
  type SelectionOptions,
  type SelectionResult,
  type SelectionStrategy,
} from "../SelectionStrategy.ts";
import { defineSelection, label, type SelectionDefinition } from "./defineSelection.ts";

/**
 * No selection: all agents train to the end, each with its own hyperparameters. With initial values drawn from
 * ranges, this is random search.
 */
export const NoSelectionSpec = z.strictObject({
  strategy: field(z.literal("none"), "No selection and no mutation."),
  name: label,
});
export type NoSelectionSpec = z.output<typeof NoSelectionSpec>;

/** Members go on as they are; one that failed rests, unless it is the only one. */
class NoSelection implements SelectionStrategy {
  readonly population_size: number;
  readonly #eval_loop: number;

  constructor(population_size: number, eval_loop: number) {
    this.population_size = population_size;
    this.#eval_loop = eval_loop;
  }

  select<M extends Evolvable<M>>(
    population: readonly M[],
    { resting = [] }: SelectionOptions = {},
  ): SelectionResult<M> {
    const fitnesses = population.map(({ fitness }) => fitnessOf(fitness, this.#eval_loop));
    const [best = -1, ...others] = ranking(fitnesses).filter((slot) => !resting.includes(slot));
    const elite = population[best];
    if (!elite) throw new RangeError("NoSelection.select: the population is empty");
    const failed = others.filter((slot) => Number.isNaN(population[slot]?.fitness.at(-1)));
    return {
      elite: elite.clone(),
      population: population.map((member) => member.clone()),
      indices: [],
      resting: [...resting, ...failed].toSorted((a, b) => a - b),
    };
  }
}

export const none: SelectionDefinition<NoSelectionSpec> = defineSelection({
  strategy: "none",
  schema: NoSelectionSpec,
  create: (_spec, { population_size, eval_loop }) => new NoSelection(population_size, eval_loop),
  evolves_alone: true,
});
