import { z } from "zod";
import { field, fraction, type OptionNames } from "../../specs/checks.ts";
import { type Evolvable, NO_MUTATION } from "../Evolvable.ts";
import { unbeaten } from "../guard.ts";
import { nearTies } from "../nearTies.ts";
import type { Exploration } from "../RLParameter.ts";
import { Random } from "../random.ts";
import {
  fitnessOf,
  isFitter,
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

/** How a copy of a fit agent explores: fields that truncation and halving share. */
const exploration = {
  quantile: field(
    z.number().gt(0).max(0.5).default(0.25),
    "Share of the agents that are replaced, and share that is copied.",
    { step: 0.05 },
  ),
  resample: field(
    fraction().default(0.25),
    "Chance that a copy draws a hyperparameter anew from its range, instead of perturbing it.",
    { step: 0.05 },
  ),
  perturb: field(
    z.tuple([z.number().gt(0).max(1), z.number().min(1)]).default([0.8, 1.25]),
    "Factors down and up, one of which perturbs each hyperparameter of a copy.",
  ),
  guard: field(
    z.boolean().default(false),
    "Keeps the first agent, which has the given hyperparameters, until another is fitter by more than the standard error of the difference.",
  ),
};

const madeTruncationSelectionSpec = z.strictObject({
  strategy: field(z.literal("truncation"), "The worst agents become copies of the best, which explore."),
  name: label,
  ...exploration,
});
type TruncationSelectionSpecMade = typeof madeTruncationSelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface TruncationSelectionSpecSchema extends TruncationSelectionSpecMade {}

/**
 * Truncation selection: the worst agents are replaced by copies of the best. Each hyperparameter that may
 * mutate moves in every copy; all other agents continue untouched (Jaderberg et al. 2017).
 *
 * @example
 * ```ts
 * const selection_strategy = TruncationSelectionSpec.parse({ strategy: "truncation", quantile: 0.25 });
 * ```
 */
export const TruncationSelectionSpec: TruncationSelectionSpecSchema = madeTruncationSelectionSpec;
export type TruncationSelectionSpec = z.output<typeof TruncationSelectionSpec>;
export type TruncationSelectionSpecInput = z.input<typeof TruncationSelectionSpec>;

/** Label of a copy whose hyperparameters moved. */
export const EXPLORE = "explore";

export interface TruncationSelectionOptions extends Partial<Exploration>, PopulationOptions {
  /** Share of the members that are replaced, and share that copies are made of; 0 to 0.5 (default: 0.25). */
  readonly quantile?: number;
  /**
   * Whether the run's first member, which has the given hyperparameters, stays until another is fitter by more than the
   * standard error of the difference (default: false).
   */
  readonly guard?: boolean;
}

const NAMES: OptionNames<TruncationSelectionOptions> = {
  population_size: true,
  quantile: true,
  resample: true,
  perturb: true,
  guard: true,
  eval_loop: true,
  rand_seed: true,
};

/** Number of members that a quantile selects. */
const quantileOf = (quantile: number, members: number): number => Math.floor(quantile * members + 1e-9);

/** What is wrong with a quantile that selects none of the members. */
export function quantileProblem(quantile: number, members: number) {
  if (quantileOf(quantile, members) >= 1) return null;
  const least = `at least ${Number((1 / members).toPrecision(3))}, or more agents`;
  return {
    key: "quantile",
    message: `found ${quantile}, which selects none of ${members} agents; must be ${least}`,
  };
}

/**
 * Truncation selection (Jaderberg et al. 2017). The members of the lowest quantile are each replaced by a copy
 * of a random member of the highest, if that one is fitter. Every hyperparameter of a copy that may mutate
 * moves: it is drawn from its whole range with the chance `resample`, else multiplied by one of the factors
 * `perturb`. All other members, and those that are guarded, continue untouched. Draws depend only on (rand_seed, slot, generation).
 *
 * @example
 * ```ts
 * const selection_strategy = new TruncationSelection({ population_size: 8, quantile: 0.25 });
 * ```
 */
export class TruncationSelection implements SelectionStrategy {
  readonly population_size: number;
  readonly quantile: number;
  readonly resample: number;
  readonly perturb: readonly [down: number, up: number];
  readonly guard: boolean;
  readonly eval_loop: number;
  readonly rand_seed: number;

  /** @throws TypeError for unknown options; RangeError for values out of range, and for a quantile that
   *   selects nobody. */
  constructor(options: TruncationSelectionOptions, ...positional: never[]) {
    const called = { names: NAMES, example: "{ population_size: 8 }", positional };
    const { population_size, quantile, resample, perturb, guard, eval_loop, rand_seed } = selectionOptions(
      "TruncationSelection",
      truncation,
      options,
      called,
    );
    const problem = quantileProblem(quantile, population_size);
    if (problem) throw refusal("TruncationSelection", problem.key, problem.message);
    this.population_size = population_size;
    this.quantile = quantile;
    this.resample = resample;
    this.perturb = perturb;
    this.guard = guard;
    this.eval_loop = eval_loop;
    this.rand_seed = rand_seed;
  }

  static fromSpec(
    {
      quantile,
      resample,
      perturb,
      guard,
    }: Pick<TruncationSelectionSpec, "quantile" | "resample" | "perturb" | "guard">,
    options: PopulationOptions,
  ): TruncationSelection {
    return new TruncationSelection({ quantile, resample, perturb, guard, ...options });
  }

  /**
   * Returns the next generation. Copies have new identities; their slots may mutate further. A member whose
   * fitness is missing or NaN is replaced if there is another, and never copied.
   */
  select<M extends Evolvable<M>>(
    population: readonly M[],
    { generation = 0, resting = [], guarded = [] }: SelectionOptions = {},
  ): SelectionResult<M> {
    const { fitnesses, ranked, fit, parting, staying } = this.#ranks(population, resting);
    const best = population[ranked[0] ?? -1];
    if (!best) throw new RangeError("TruncationSelection.select: the population is empty");
    const parents = fit.slice(0, parting);
    const losers = ranked.slice(staying).filter((slot) => !guarded.includes(slot));

    let index = Math.max(...population.map((member) => member.index));
    const next = population.map((member) => member.clone());
    const labels = new Map<number, string>();
    for (const slot of losers.toSorted((a, b) => a - b)) {
      if (parents.length === 0) break;
      const key = { seed: this.rand_seed, slot, generation };
      const parent = new Random({ ...key, stream: "selection" }).choice(parents);
      if (!isFitter(fitnesses[parent] as number, fitnesses[slot] as number)) continue;
      const copy = (population[parent] as M).clone(++index);
      labels.set(slot, this.#explore(copy, new Random({ ...key, stream: "explore" })));
      next[slot] = copy;
    }
    return { elite: best.clone(), population: next, indices: [...labels.keys()], labels, resting };
  }

  /** Ranks of the active members: the first `parting` may be copied, those from `staying` on are replaced. */
  #ranks(population: readonly Pick<Evolvable<unknown>, "fitness">[], resting: readonly number[]) {
    const fitnesses = population.map(({ fitness }) => fitnessOf(fitness, this.eval_loop));
    const ranked = ranking(fitnesses).filter((slot) => !resting.includes(slot));
    const fit = ranked.filter((slot) => !Number.isNaN(fitnesses[slot]));
    const count = quantileOf(this.quantile, ranked.length);
    const staying = Math.min(ranked.length - count, fit.length);
    return { fitnesses, ranked, fit, parting: Math.max(1, count), staying };
  }

  /** Members nearly tied across the ranks that divide the copied from the others, and those that stay from the replaced. */
  contested(
    population: readonly Pick<Evolvable<unknown>, "fitness">[],
    errors: readonly number[],
    { resting = [] }: SelectionOptions = {},
  ): readonly number[] {
    const { ranked, fit, parting, staying } = this.#ranks(population, resting);
    if (staying === ranked.length) return [];
    const histories = population.map(({ fitness }) => fitness);
    return nearTies([parting, staying], { ranked: fit, histories, errors, window: this.eval_loop });
  }

  /** The first member while no other beats it. */
  guarded(
    population: readonly Pick<Evolvable<unknown>, "index" | "fitness">[],
    errors: readonly number[],
    { resting }: SelectionOptions = {},
  ): readonly number[] {
    return this.guard ? unbeaten(population, { errors, window: this.eval_loop, resting }) : [];
  }

  #explore<M extends Evolvable<M>>(member: M, random: Random): string {
    const before = member.hyperparameters;
    const values = member.hp_config?.explore(before, random, this) ?? {};
    const moved = Object.entries(values).filter(([name, value]) => value !== before[name]);
    for (const [name, value] of moved) member.setHyperparameter(name, value);
    return moved.length === 0 ? NO_MUTATION : EXPLORE;
  }
}

export const truncation: SelectionDefinition<TruncationSelectionSpec> = defineSelection({
  strategy: "truncation",
  schema: TruncationSelectionSpec,
  create: (spec, { population_size, eval_loop, rand_seed }) =>
    TruncationSelection.fromSpec(spec, { population_size, eval_loop, rand_seed }),
  fit(spec, pop_size) {
    const problem = quantileProblem(spec.quantile, pop_size);
    return problem ? { problem } : { spec };
  },
  evolves_alone: true,
  ranks: true,
});
