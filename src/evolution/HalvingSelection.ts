import { checkNames, type OptionNames } from "../specs/checks.ts";
import { raceSizes } from "../specs/sections.ts";
import type { Evolvable } from "./Evolvable.ts";
import { nearTies } from "./nearTies.ts";
import {
  fitnessOf,
  ranking,
  type SelectionOptions,
  type SelectionResult,
  type SelectionStrategy,
} from "./SelectionStrategy.ts";

export interface HalvingSelectionOptions {
  /** Number of members at the start: `smallest`, multiplied by `factor` once for each cut. */
  readonly population_size: number;
  /** Each cut keeps one of this many members (default: 2). */
  readonly factor?: number;
  /** Generations between two cuts (default: 1). */
  readonly rung?: number;
  /** Members that remain after the last cut (default: 1). With all of them, none is cut. */
  readonly smallest?: number;
  /** Selection among those that remain after the last cut (default: null, none). */
  readonly followed_by?: SelectionStrategy | null;
  /** Number of most recent evaluations averaged to give a member's fitness (default: 1). */
  readonly eval_loop?: number;
}

const NAMES: OptionNames<HalvingSelectionOptions> = {
  population_size: true,
  factor: true,
  rung: true,
  smallest: true,
  followed_by: true,
  eval_loop: true,
};

/**
 * Successive halving (Jamieson and Talwalkar 2016). After each rung, the fittest members continue and all others
 * rest: their slots stay, take no turns and cost nothing. A member that failed rests too. Nothing is copied or
 * mutated until the last cut.
 *
 * @example
 * ```ts
 * const selection_strategy = new HalvingSelection({ population_size: 8, rung: 4 });
 * ```
 */
export class HalvingSelection implements SelectionStrategy {
  readonly population_size: number;
  readonly factor: number;
  readonly rung: number;
  readonly smallest: number;
  readonly followed_by: SelectionStrategy | null;
  readonly eval_loop: number;
  /** Number of cuts. */
  readonly cuts: number;
  readonly #sizes: readonly number[];

  /** @throws TypeError for unknown options; RangeError for values out of range, and for a population that no
   *   number of cuts brings to its smallest size. */
  constructor(options: HalvingSelectionOptions, ...positional: never[]) {
    const example = "{ population_size: 8, rung: 4 }";
    checkNames("HalvingSelection", options, NAMES, { example, positional });
    const {
      population_size,
      factor = 2,
      rung = 1,
      smallest = 1,
      followed_by = null,
      eval_loop = 1,
    } = options;
    for (const [name, least] of Object.entries({
      population_size: 1,
      factor: 2,
      rung: 1,
      smallest: 1,
      eval_loop: 1,
    })) {
      const found = { population_size, factor, rung, smallest, eval_loop }[name] ?? 0;
      if (!Number.isInteger(found) || found < least)
        throw new RangeError(`HalvingSelection.${name}: found ${found}, allowed integers from ${least}`);
    }
    const sizes = raceSizes(population_size, factor, smallest);
    if (sizes === null) {
      throw new RangeError(
        `HalvingSelection.population_size: found ${population_size}, allowed smallest (${smallest}) times a power of factor (${factor})`,
      );
    }
    this.population_size = population_size;
    this.factor = factor;
    this.rung = rung;
    this.smallest = smallest;
    this.followed_by = followed_by;
    this.eval_loop = eval_loop;
    this.cuts = sizes.length - 1;
    this.#sizes = sizes;
  }

  /** Members that take turns in a generation, counted from 1, unless some fail. */
  activeIn(generation: number): number {
    return this.#sizeAfter(Math.floor((generation - 1) / this.rung));
  }

  #sizeAfter(cuts: number): number {
    return this.#sizes[Math.min(cuts, this.cuts)] ?? this.smallest;
  }

  /** Whether the last cut lies before the end of a generation. */
  #isOver(generation: number): boolean {
    return generation > this.cuts * this.rung;
  }

  #ranked(population: readonly Pick<Evolvable<unknown>, "fitness">[], resting: readonly number[]): number[] {
    const fitnesses = population.map(({ fitness }) => fitnessOf(fitness, this.eval_loop));
    return ranking(fitnesses).filter((slot) => !resting.includes(slot));
  }

  /** Members nearly tied across the rank of a cut, or as the following selection says. */
  contested(
    population: readonly Pick<Evolvable<unknown>, "fitness">[],
    errors: readonly number[],
    { generation = 1, resting = [] }: SelectionOptions = {},
  ): readonly number[] {
    if (this.#isOver(generation))
      return this.followed_by?.contested?.(population, errors, { generation, resting }) ?? [];
    if (generation % this.rung !== 0) return [];
    const histories = population.map(({ fitness }) => fitness);
    const size = this.#sizeAfter(generation / this.rung);
    const ranked = this.#ranked(population, resting).filter((slot) => !Number.isNaN(histories[slot]?.at(-1)));
    return nearTies([size], { ranked, histories, errors, window: this.eval_loop });
  }

  /** Returns the next generation: the same members, of which more may rest. */
  select<M extends Evolvable<M>>(
    population: readonly M[],
    { generation = 1, resting = [] }: SelectionOptions = {},
  ): SelectionResult<M> {
    if (this.followed_by && this.#isOver(generation))
      return this.followed_by.select(population, { generation, resting });
    const done = Math.floor(generation / this.rung);
    const ranked = this.#ranked(population, resting);
    const best = population[ranked[0] ?? -1];
    if (!best) throw new RangeError("HalvingSelection.select: the population is empty");
    const kept = ranked
      .slice(0, this.#sizeAfter(done))
      .filter((slot, place) => place === 0 || !Number.isNaN(population[slot]?.fitness.at(-1)));
    return {
      elite: best.clone(),
      population: population.map((member) => member.clone()),
      indices: [],
      resting: population.flatMap((_member, slot) => (kept.includes(slot) ? [] : [slot])),
    };
  }
}
