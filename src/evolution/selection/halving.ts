import { z } from "zod";
import { checkNames, field, integer, type OptionNames } from "../../specs/checks.ts";
import type { Evolvable } from "../Evolvable.ts";
import { unbeaten } from "../guard.ts";
import { mean } from "../mean.ts";
import { nearTies } from "../nearTies.ts";
import {
  fitnessOf,
  ranking,
  type SelectionOptions,
  type SelectionResult,
  type SelectionStrategy,
} from "../SelectionStrategy.ts";
import {
  defineSelection,
  label,
  refusal,
  requireSizes,
  type SelectionDefinition,
  type SelectionRun,
} from "./defineSelection.ts";
import { quantileProblem, TruncationSelection, TruncationSelectionSpec } from "./truncation.ts";

const { strategy: _strategy, name: _name, ...exploration } = TruncationSelectionSpec.shape;

const madeHalvingSelectionSpec = z.strictObject({
  strategy: field(z.literal("halving"), "A race: the population shrinks, and the agents that lose rest."),
  name: label,
  factor: field(integer(2).default(2), "Each cut keeps one of this many agents."),
  rung: field(
    integer(1).nullable().default(null),
    "Generations between cuts (for bandits and language models, rounds of evo_steps). If unset, cuts are spread evenly over the run, or over its first half with followed_by.",
    { unit: "generations" },
  ),
  smallest: field(integer(1).default(1), "Agents that remain after the last cut.", { unit: "agents" }),
  followed_by: field(
    z.literal("truncation").nullable().default(null),
    "Selection among the remaining agents after the last cut. If unset, none.",
  ),
  ...exploration,
});
type HalvingSelectionSpecMade = typeof madeHalvingSelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface HalvingSelectionSpecSchema extends HalvingSelectionSpecMade {}

/**
 * Successive halving (Jamieson and Talwalkar 2016): the population shrinks by a factor at each cut, and the
 * agents that lose rest.
 *
 * @example
 * ```ts
 * const selection_strategy = HalvingSelectionSpec.parse({ strategy: "halving", smallest: 4, followed_by: "truncation" });
 * ```
 */
export const HalvingSelectionSpec: HalvingSelectionSpecSchema = madeHalvingSelectionSpec;
export type HalvingSelectionSpec = z.output<typeof HalvingSelectionSpec>;
export type HalvingSelectionSpecInput = z.input<typeof HalvingSelectionSpec>;

/** Sizes of a population from the start to its smallest, a factor apart; null if no number of cuts leads there. */
export function raceSizes(population: number, factor: number, smallest: number): readonly number[] | null {
  const sizes = [smallest];
  for (let size = smallest; size < population; ) sizes.unshift((size *= factor));
  return sizes[0] === population ? sizes : null;
}

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
  /** As in TruncationSelection: the first member does not rest either (default: false). */
  readonly guard?: boolean;
  /** Number of most recent evaluations averaged to give a member's fitness (default: 1). */
  readonly eval_loop?: number;
}

const NAMES: OptionNames<HalvingSelectionOptions> = {
  population_size: true,
  factor: true,
  rung: true,
  smallest: true,
  followed_by: true,
  guard: true,
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
  readonly guard: boolean;
  readonly eval_loop: number;
  /** Number of cuts. */
  readonly cuts: number;
  readonly #sizes: readonly number[];

  /** @throws TypeError for unknown options; RangeError for values out of range, and for a population that no
   *   number of cuts brings to its smallest size. */
  constructor(options: HalvingSelectionOptions, ...positional: never[]) {
    checkNames("HalvingSelection", options, NAMES, {
      example: "{ population_size: 8, rung: 4 }",
      positional,
    });
    const {
      population_size,
      factor = 2,
      rung = 1,
      smallest = 1,
      followed_by = null,
      guard = false,
      eval_loop = 1,
    } = options;
    requireSizes("HalvingSelection", { population_size, rung, smallest, eval_loop });
    requireSizes("HalvingSelection", { factor }, 2);
    const sizes = raceSizes(population_size, factor, smallest);
    if (sizes === null)
      throw refusal(
        "HalvingSelection",
        "population_size",
        `found ${population_size}, allowed smallest (${smallest}) times a power of factor (${factor})`,
      );
    this.population_size = population_size;
    this.factor = factor;
    this.rung = rung;
    this.smallest = smallest;
    this.followed_by = followed_by;
    this.guard = guard;
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

  /** The first member while no other beats it. */
  guarded(
    population: readonly Pick<Evolvable<unknown>, "index" | "fitness">[],
    errors: readonly number[],
    { resting }: SelectionOptions = {},
  ): readonly number[] {
    return this.guard ? unbeaten(population, { errors, window: this.eval_loop, resting }) : [];
  }

  /** Returns the next generation: the same members, of which more may rest; those that are guarded do not. */
  select<M extends Evolvable<M>>(
    population: readonly M[],
    { generation = 1, resting = [], guarded = [] }: SelectionOptions = {},
  ): SelectionResult<M> {
    if (this.followed_by && this.#isOver(generation))
      return this.followed_by.select(population, { generation, resting, guarded });
    const done = Math.floor(generation / this.rung);
    const ranked = this.#ranked(population, resting);
    const best = population[ranked[0] ?? -1];
    if (!best) throw new RangeError("HalvingSelection.select: the population is empty");
    const spared = ranked.filter((slot) => guarded.includes(slot));
    const others = ranked.filter((slot) => !guarded.includes(slot));
    const kept = [...spared, ...others.slice(0, this.#sizeAfter(done) - spared.length)].filter(
      (slot) => slot === ranked[0] || !Number.isNaN(population[slot]?.fitness.at(-1)),
    );
    return {
      elite: best.clone(),
      population: population.map((member) => member.clone()),
      indices: [],
      resting: population.flatMap((_member, slot) => (kept.includes(slot) ? [] : [slot])),
    };
  }
}

/** Generations between two cuts: spread evenly over the run, or over its first half if another strategy follows. */
function rungOf(
  { factor, smallest, followed_by, rung }: HalvingSelectionSpec,
  { population_size, steps, evolve_every, isShared }: SelectionRun,
): number {
  const sizes = raceSizes(population_size, factor, smallest) ?? [smallest];
  const cuts = sizes.length - 1;
  const racing = mean(cuts === 0 ? sizes : sizes.slice(0, -1));
  const active = followed_by ? mean([racing, smallest]) : mean(sizes);
  const rounds = Math.ceil(steps / (isShared ? active : 1));
  const spread = followed_by ? rounds / 2 / Math.max(1, cuts) : rounds / (cuts + 1);
  return evolve_every * (rung ?? Math.max(1, Math.floor(spread)));
}

export const halving: SelectionDefinition<HalvingSelectionSpec> = defineSelection({
  strategy: "halving",
  schema: HalvingSelectionSpec,
  create(spec, run) {
    const { factor, smallest, followed_by } = spec;
    const { population_size, eval_loop, rand_seed } = run;
    const after = { population_size: smallest, eval_loop, rand_seed };
    return new HalvingSelection({
      population_size,
      factor,
      smallest,
      rung: rungOf(spec, run),
      followed_by: followed_by && TruncationSelection.fromSpec(spec, after),
      guard: spec.guard,
      eval_loop,
    });
  },
  fit(spec, pop_size) {
    const { factor, smallest, followed_by, quantile } = spec;
    if (raceSizes(pop_size, factor, smallest) === null) {
      const allowed = `halving needs smallest (${smallest}) times a power of factor (${factor})`;
      return { problem: { key: null, message: `found ${pop_size}; ${allowed}` } };
    }
    const problem = followed_by && quantileProblem(quantile, smallest);
    return problem ? { problem } : { spec };
  },
  finalists: ({ smallest }) => smallest,
  evolves_alone: true,
  ranks: true,
});
