import { z } from "zod";
import { field, integer, type OptionNames } from "../../specs/checks.ts";
import type { Evolvable } from "../Evolvable.ts";
import { Random } from "../random.ts";
import {
  fitnessOf,
  type PopulationOptions,
  ranking,
  type SelectionOptions,
  type SelectionResult,
  type SelectionStrategy,
} from "../SelectionStrategy.ts";
import {
  defineSelection,
  label,
  refusal,
  type SelectionDefinition,
  selectionOptions,
} from "./defineSelection.ts";

const madeTournamentSelectionSpec = z.strictObject({
  strategy: field(z.literal("tournament").default("tournament"), "Selection by tournaments."),
  name: label,
  tournament_size: field(
    integer(1).default(2),
    "Agents drawn for each tournament. More of them favour the fittest more strongly.",
    { unit: "agents" },
  ),
  elitism: field(z.boolean().default(true), "Keeps the fittest agent in the first slot."),
});
type TournamentSelectionSpecMade = typeof madeTournamentSelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface TournamentSelectionSpecSchema extends TournamentSelectionSpecMade {}

/**
 * Tournament selection: each new slot gets the fittest of a few agents drawn at random.
 *
 * @example
 * ```ts
 * const selection_strategy = TournamentSelectionSpec.parse({ tournament_size: 2, elitism: true });
 * ```
 */
export const TournamentSelectionSpec: TournamentSelectionSpecSchema = madeTournamentSelectionSpec;
export type TournamentSelectionSpec = z.output<typeof TournamentSelectionSpec>;
export type TournamentSelectionSpecInput = z.input<typeof TournamentSelectionSpec>;

export interface TournamentSelectionOptions extends PopulationOptions {
  /** Number of members drawn for each tournament, >= 1. */
  readonly tournament_size: number;
  /** Keeps the fittest member in the first slot. */
  readonly elitism: boolean;
}

const NAMES: OptionNames<TournamentSelectionOptions> = {
  tournament_size: true,
  elitism: true,
  population_size: true,
  eval_loop: true,
  rand_seed: true,
};

const EXAMPLE = "{ tournament_size: 2, elitism: true, population_size: 4 }";

/** Maximum draws per selection: more would take seconds and have no further effect. */
export const MOST_DRAWS = 10_000_000;

/**
 * Tournament selection: each slot gets a copy of the fittest of `tournament_size` members drawn with
 * replacement. Draws depend only on (rand_seed, slot, generation).
 *
 * @example
 * ```ts
 * const selection_strategy = new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 4 });
 * ```
 */
export class TournamentSelection implements SelectionStrategy {
  readonly tournament_size: number;
  readonly elitism: boolean;
  readonly population_size: number;
  readonly eval_loop: number;
  readonly rand_seed: number;

  /** @throws TypeError for unknown options; RangeError for sizes that are missing, below 1 or
   *   beyond {@link MOST_DRAWS}. */
  constructor(options: TournamentSelectionOptions, ...positional: never[]) {
    const called = { names: NAMES, example: EXAMPLE, positional };
    const { tournament_size, elitism, population_size, eval_loop, rand_seed } = selectionOptions(
      "TournamentSelection",
      tournament,
      options,
      called,
    );
    const draws = tournament_size * population_size;
    if (draws > MOST_DRAWS)
      throw refusal(
        "TournamentSelection",
        "tournament_size",
        `found ${tournament_size}, which needs ${draws} draws for each generation (tournament_size x population_size); allowed: at most ${MOST_DRAWS} draws`,
      );
    this.tournament_size = tournament_size;
    this.elitism = elitism;
    this.population_size = population_size;
    this.eval_loop = eval_loop;
    this.rand_seed = rand_seed;
  }

  static fromSpec(
    { tournament_size, elitism }: TournamentSelectionSpec,
    options: PopulationOptions,
  ): TournamentSelection {
    return new TournamentSelection({ tournament_size, elitism, ...options });
  }

  /**
   * Returns the next generation. With elitism, its first slot holds the elite under its own identity; all
   * other members are copies with new identities. Ties go to the earlier slot. A member whose fitness is
   * missing or NaN is copied only when there is no other.
   * @throws RangeError for an empty population.
   */
  select<M extends Evolvable<M>>(
    population: readonly M[],
    { generation = 0 }: SelectionOptions = {},
  ): SelectionResult<M> {
    const fitnesses = population.map((member) => fitnessOf(member.fitness, this.eval_loop));
    const order = ranking(fitnesses);
    const best = population[order[0] ?? -1];
    if (!best) throw new RangeError("TournamentSelection.select: the population is empty");
    const fit = order.filter((slot) => !Number.isNaN(fitnesses[slot]));
    const ranked = fit.length > 0 ? fit : order;

    let index = Math.max(...population.map((member) => member.index));
    const next: M[] = [];
    for (let slot = 0; slot < this.population_size; slot++) {
      if (slot === 0 && this.elitism) {
        next.push(best.clone());
        continue;
      }
      const random = new Random({ seed: this.rand_seed, stream: "selection", slot, generation });
      let first = ranked.length - 1;
      for (let drawn = 0; drawn < this.tournament_size; drawn++)
        first = Math.min(first, random.integer(ranked.length));
      const winner = population[ranked[first] as number] as M;
      next.push(winner.clone(++index));
    }
    return { elite: best.clone(), population: next, indices: null };
  }
}

export const tournament: SelectionDefinition<TournamentSelectionSpec> = defineSelection({
  strategy: "tournament",
  schema: TournamentSelectionSpec,
  create: (spec, { population_size, eval_loop, rand_seed }) =>
    TournamentSelection.fromSpec(spec, { population_size, eval_loop, rand_seed }),
});
