import { checkNames, checkSpec, type OptionNames } from "../specs/checks.ts";
import {
  MultiFrequencySelectionSpec,
  type MultiFrequencySelectionSpecInput,
  resolveMultiFrequency,
} from "../specs/sections.ts";
import type { Evolvable } from "./Evolvable.ts";
import { Random } from "./random.ts";
import {
  fitnessOf,
  isFitter,
  ranking,
  type SelectionOptions,
  type SelectionResult,
  type SelectionStrategy,
} from "./SelectionStrategy.ts";

export interface MultiFrequencySelectionOptions
  extends Omit<MultiFrequencySelectionSpecInput, "strategy" | "name"> {
  /** Number of members: at least 6, and a multiple of `n_subpopulations` with at least 3 in each. */
  readonly population_size: number;
  /** Number of most recent evaluations averaged to give a member's fitness (default: 1). */
  readonly eval_loop?: number;
  /** Default: 42. */
  readonly rand_seed?: number;
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
    const example = "{ population_size: 8 }";
    checkNames("MultiFrequencySelection", options, NAMES, { example, positional });
    const { population_size, eval_loop = 1, rand_seed = 42, ...layout } = options;
    for (const [name, size] of Object.entries({ population_size, eval_loop })) {
      if (!Number.isInteger(size) || size < 1) throw refusal(name, `found ${size}, allowed integers from 1`);
    }
    const spec = checkSpec(MultiFrequencySelectionSpec, { strategy: "multi_frequency", ...layout });
    if (!spec.success) throw refusal(spec.issues[0]?.path ?? "", spec.issues[0]?.message ?? "");
    const resolved = resolveMultiFrequency(spec.data, population_size);
    if ("problem" in resolved)
      throw refusal(resolved.problem.key ?? "population_size", resolved.problem.message);
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
    options: { readonly population_size: number; readonly rand_seed?: number },
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

const refusal = (name: string, problem: string): RangeError =>
  new RangeError(`MultiFrequencySelection.${name}: ${problem}`);

/** Copies from `source` the values of the hyperparameters that may mutate. */
function takeHyperparameters<M extends Evolvable<M>>(member: M, source: M): void {
  for (const name of source.hp_config?.names ?? []) {
    const value = source.hyperparameters[name];
    if (value !== undefined && value !== null) member.setHyperparameter(name, value);
  }
}
