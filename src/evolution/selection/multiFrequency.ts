import { z } from "zod";
import { field, integer, layers, type OptionNames } from "../../specs/checks.ts";
import type { Evolvable } from "../Evolvable.ts";
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

const bracket = (minimum: number, description: string) =>
  field(integer(minimum).nullable().default(null), description, { unit: "agents" });

const madeMultiFrequencySelectionSpec = z
  .strictObject({
    strategy: field(
      z.literal("multi_frequency"),
      "Selection in subpopulations that evolve at different frequencies.",
    ),
    name: label,
    n_subpopulations: field(layers(2).default(2), "Number of subpopulations."),
    n_winners: bracket(1, "Agents of each subpopulation that replace losers. If unset, a quarter."),
    n_survivors: bracket(0, "Agents that continue unchanged. If unset, none."),
    n_open_for_migration: bracket(1, "Agents that migrants may replace. If unset, a quarter."),
    n_losers: bracket(1, "Agents that winners replace. If unset, all others."),
    evolution_frequency_ratios: field(
      z.array(integer(1)).nullable().default(null),
      "Generations between the evolution rounds of each subpopulation. If unset, 1, 5, 10, 15, ...",
    ),
  })
  .superRefine((spec, context) => {
    const ratios = spec.evolution_frequency_ratios ?? [];
    const fail = (message: string): void =>
      context.addIssue({ code: "custom", path: ["evolution_frequency_ratios"], message });
    if (ratios.length === 0) return;
    if (ratios.length !== spec.n_subpopulations) {
      fail(
        `found ${ratios.length} items; must have one for each of n_subpopulations (${spec.n_subpopulations})`,
      );
    }
    if (ratios.some((ratio, index) => index > 0 && ratio <= (ratios[index - 1] ?? 0))) {
      fail(`found [${ratios.join(", ")}]; must be strictly increasing`);
    }
  });
type MultiFrequencySelectionSpecMade = typeof madeMultiFrequencySelectionSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface MultiFrequencySelectionSpecSchema extends MultiFrequencySelectionSpecMade {}

/**
 * Multi-frequency population based training: subpopulations evolve at different frequencies and exchange
 * members.
 *
 * @example
 * ```ts
 * const selection_strategy = MultiFrequencySelectionSpec.parse({ strategy: "multi_frequency" });
 * ```
 */
export const MultiFrequencySelectionSpec: MultiFrequencySelectionSpecSchema = madeMultiFrequencySelectionSpec;
export type MultiFrequencySelectionSpec = z.output<typeof MultiFrequencySelectionSpec>;
export type MultiFrequencySelectionSpecInput = z.input<typeof MultiFrequencySelectionSpec>;

const MIN_POPULATION = 6;
const MIN_SUBPOPULATION = 3;

/** Rounds to the nearest integer, halves to the even one. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** A problem with the layout of subpopulations; `key` is `null` for a problem with the population size. */
interface LayoutProblem {
  key: keyof MultiFrequencySelectionSpec | null;
  message: string;
}

/** A spec whose bracket sizes and ratios are known. */
interface MultiFrequencyLayout extends MultiFrequencySelectionSpec {
  n_winners: number;
  n_survivors: number;
  n_open_for_migration: number;
  n_losers: number;
  evolution_frequency_ratios: number[];
}

/**
 * Fills in the bracket sizes and ratios for a population.
 *
 * @param pop_size Number of members: at least 6, and a multiple of `n_subpopulations` with at least 3 in
 *   each.
 */
export function resolveMultiFrequency(
  spec: MultiFrequencySelectionSpec,
  pop_size: number,
): { layout: MultiFrequencyLayout } | { problem: LayoutProblem } {
  const count = spec.n_subpopulations;
  const problem = (key: LayoutProblem["key"], message: string) => ({ problem: { key, message } });
  if (pop_size < MIN_POPULATION) {
    return problem(
      null,
      `found ${pop_size}; multi_frequency selection needs at least ${MIN_POPULATION} agents`,
    );
  }
  if (pop_size % count !== 0) {
    return problem(null, `found ${pop_size}; must be a multiple of n_subpopulations (${count})`);
  }
  const size = pop_size / count;
  if (size < MIN_SUBPOPULATION) {
    return problem(
      "n_subpopulations",
      `found ${count}; leaves ${size} of ${pop_size} agents in each, at least ${MIN_SUBPOPULATION} are needed`,
    );
  }
  const quarter = roundHalfEven(0.25 * size);
  const n_winners = spec.n_winners ?? quarter;
  const n_survivors = spec.n_survivors ?? 0;
  const n_open_for_migration = spec.n_open_for_migration ?? quarter;
  const n_losers = spec.n_losers ?? size - n_winners - n_survivors - n_open_for_migration;
  const total = n_winners + n_survivors + n_open_for_migration + n_losers;
  if (total !== size || n_losers < 1) {
    return problem(
      "n_losers",
      `winners ${n_winners}, survivors ${n_survivors}, open for migration ${n_open_for_migration} and losers ${n_losers} must add up to the subpopulation's ${size} agents, with at least 1 loser`,
    );
  }
  const given = spec.evolution_frequency_ratios ?? [];
  const evolution_frequency_ratios =
    given.length > 0 ? given : Array.from({ length: count }, (_, index) => (index === 0 ? 1 : 5 * index));
  return {
    layout: { ...spec, n_winners, n_survivors, n_open_for_migration, n_losers, evolution_frequency_ratios },
  };
}

export interface MultiFrequencySelectionOptions
  extends Omit<MultiFrequencySelectionSpecInput, "strategy" | "name">,
    PopulationOptions {
  /** Number of members: at least 6, and a multiple of `n_subpopulations` with at least 3 in each. */
  readonly population_size: number;
}

const NAMES: OptionNames<MultiFrequencySelectionOptions> = {
  population_size: true,
  n_subpopulations: true,
  n_winners: true,
  n_survivors: true,
  n_open_for_migration: true,
  n_losers: true,
  evolution_frequency_ratios: true,
  eval_loop: true,
  rand_seed: true,
};

/** A subpopulation during selection; slots are ordered from fittest to least fit. */
interface Brackets {
  readonly id: number;
  readonly winners: readonly number[];
  readonly open: readonly number[];
  readonly losers: readonly number[];
}

/** Working data of one `select` call. */
interface Round<M> {
  /** The members as evaluated. Clones and migrants are copied from here, even after replacements. */
  readonly frozen: readonly M[];
  readonly fitnesses: readonly number[];
  readonly next: M[];
  readonly generation: number;
  /** The last identity assigned. */
  index: number;
}

/**
 * Multi-frequency population based training (MF-PBT, arXiv 2506.03225). Subpopulations evolve at different
 * frequencies and exchange members, so that slow ones keep hyperparameters that pay off late.
 *
 * With S members each, subpopulation i occupies slots i S to (i + 1) S - 1 and evolves in the generations
 * that are multiples of its ratio. Its members, ranked by fitness, are winners, survivors, open for migration
 * and losers. A loser is replaced by a copy of a random winner, which may mutate. A member open for migration
 * is replaced by a copy of the best fitter member of the other subpopulations that has not been copied yet.
 * This migrant keeps its hyperparameters, unless it comes from a faster subpopulation: then it gets those of
 * the best winner here.
 *
 * Keeps no counters: the generation decides which subpopulations evolve, so a resumed run gives the same
 * bits.
 *
 * @example
 * ```ts
 * const selection_strategy = new MultiFrequencySelection({ population_size: 16 });
 * ```
 */
export class MultiFrequencySelection implements SelectionStrategy {
  readonly population_size: number;
  readonly n_subpopulations: number;
  readonly n_winners: number;
  readonly n_survivors: number;
  readonly n_open_for_migration: number;
  readonly n_losers: number;
  /** Generations between two rounds of evolution, by subpopulation; strictly increasing. */
  readonly evolution_frequency_ratios: readonly number[];
  readonly eval_loop: number;
  readonly rand_seed: number;

  /**
   * @throws TypeError for unknown options; RangeError, naming the option, for sizes and ratios that do not
   *   fit the population.
   */
  constructor(options: MultiFrequencySelectionOptions, ...positional: never[]) {
    const called = { names: NAMES, example: "{ population_size: 8 }", positional };
    const { population_size, eval_loop, rand_seed, ...spec } = selectionOptions(
      "MultiFrequencySelection",
      multiFrequency,
      options,
      called,
    );
    const resolved = resolveMultiFrequency(spec, population_size);
    if ("problem" in resolved)
      throw refusal(
        "MultiFrequencySelection",
        resolved.problem.key ?? "population_size",
        resolved.problem.message,
      );
    this.population_size = population_size;
    this.n_subpopulations = resolved.layout.n_subpopulations;
    this.n_winners = resolved.layout.n_winners;
    this.n_survivors = resolved.layout.n_survivors;
    this.n_open_for_migration = resolved.layout.n_open_for_migration;
    this.n_losers = resolved.layout.n_losers;
    this.evolution_frequency_ratios = resolved.layout.evolution_frequency_ratios;
    this.eval_loop = eval_loop;
    this.rand_seed = rand_seed;
  }

  /** @throws RangeError as in the constructor. */
  static fromSpec(
    { strategy: _strategy, name: _name, ...layout }: MultiFrequencySelectionSpec,
    options: PopulationOptions,
  ): MultiFrequencySelection {
    return new MultiFrequencySelection({ ...layout, ...options });
  }

  /** Subpopulation of a slot, 0-based. */
  subpopulationOf(slot: number): number {
    return Math.floor(slot / (this.population_size / this.n_subpopulations));
  }

  /**
   * Returns the next generation. Each new member takes the slot of the one it replaces; `indices` lists the
   * losers' slots. Members that are not replaced keep their identity.
   *
   * @param options `generation` counts from 1 (default: 1).
   * @throws RangeError when the population's size differs from `population_size`.
   */
  select<M extends Evolvable<M>>(
    population: readonly M[],
    { generation = 1 }: SelectionOptions = {},
  ): SelectionResult<M> {
    if (population.length !== this.population_size) {
      throw new RangeError(
        `MultiFrequencySelection.select: found ${population.length} members, allowed ${this.population_size} (population_size)`,
      );
    }
    const fitnesses = population.map((member) => fitnessOf(member.fitness, this.eval_loop));
    const round: Round<M> = {
      frozen: population,
      fitnesses,
      next: population.map((member) => member.clone()),
      generation,
      index: Math.max(...population.map((member) => member.index)),
    };
    const indices: number[] = [];
    for (const [id, ratio] of this.evolution_frequency_ratios.entries()) {
      if (generation % ratio !== 0) continue;
      const brackets = this.#brackets(id, fitnesses);
      this.#replaceLosers(brackets, round);
      this.#migrate(brackets, round);
      indices.push(...brackets.losers);
    }
    const best = population[ranking(fitnesses)[0] as number] as M;
    return { elite: best.clone(), population: round.next, indices: indices.toSorted((a, b) => a - b) };
  }

  #brackets(id: number, fitnesses: readonly number[]): Brackets {
    const ranked = ranking(fitnesses).filter((slot) => this.subpopulationOf(slot) === id);
    const open = this.n_winners + this.n_survivors;
    const losers = open + this.n_open_for_migration;
    return {
      id,
      winners: ranked.slice(0, this.n_winners),
      open: ranked.slice(open, losers),
      losers: ranked.slice(losers),
    };
  }

  #replaceLosers<M extends Evolvable<M>>({ winners, losers }: Brackets, round: Round<M>): void {
    // A failed member has no fitness; it is copied only when there is no other.
    const fit = winners.filter((slot) => !Number.isNaN(round.fitnesses[slot]));
    const parents = fit.length > 0 ? fit : winners;
    for (const slot of losers) {
      const { generation } = round;
      const random = new Random({ seed: this.rand_seed, stream: "selection", slot, generation });
      round.next[slot] = (round.frozen[random.choice(parents)] as M).clone(++round.index);
    }
  }

  #migrate<M extends Evolvable<M>>({ id, winners, open }: Brackets, round: Round<M>): void {
    const { frozen, fitnesses, next } = round;
    const external = ranking(fitnesses).filter((slot) => this.subpopulationOf(slot) !== id);
    const host = frozen[winners[0] as number] as M;
    let taken = 0;
    for (const slot of open) {
      const from = external[taken];
      if (from === undefined) return;
      if (!isFitter(fitnesses[from] as number, fitnesses[slot] as number)) continue;
      taken++;
      const migrant = (frozen[from] as M).clone(++round.index);
      if (this.#ratioOf(this.subpopulationOf(from)) < this.#ratioOf(id)) takeHyperparameters(migrant, host);
      next[slot] = migrant;
    }
  }

  #ratioOf(subpopulation: number): number {
    return this.evolution_frequency_ratios[subpopulation] as number;
  }
}

/** Copies from `source` the values of the hyperparameters that may mutate. */
function takeHyperparameters<M extends Evolvable<M>>(member: M, source: M): void {
  for (const name of source.hp_config?.names ?? []) {
    const value = source.hyperparameters[name];
    if (value !== undefined && value !== null) member.setHyperparameter(name, value);
  }
}

export const multiFrequency: SelectionDefinition<MultiFrequencySelectionSpec> = defineSelection({
  strategy: "multi_frequency",
  schema: MultiFrequencySelectionSpec,
  create: (spec, { population_size, eval_loop, rand_seed }) =>
    MultiFrequencySelection.fromSpec(spec, { population_size, eval_loop, rand_seed }),
  fit(spec, pop_size) {
    const resolved = resolveMultiFrequency(spec, pop_size);
    return "problem" in resolved ? resolved : { spec: resolved.layout };
  },
  language_models: false,
});
