import { checkNames, type OptionNames } from "../specs/checks.ts";
import type { Activation } from "../specs/networks.ts";
import type { MutationSpec } from "../specs/sections.ts";
import { type Evolvable, NO_MUTATION } from "./Evolvable.ts";
import { type DrawKey, Random, subKey } from "./random.ts";

/** Weights are relative: they need not add up to 1. */
export interface MutationsOptions {
  /** Weight of leaving a member unchanged. */
  readonly no_mutation: number;
  /** Weight of an architecture mutation. */
  readonly architecture: number;
  /** Probability that an architecture mutation adds or removes a layer instead of nodes; 0 to 1. */
  readonly new_layer_prob: number;
  /** Weight of a parameter mutation, which adds noise to the policy's weights. */
  readonly parameters: number;
  /** Weight of a change of activation. */
  readonly activation: number;
  /** Weight of a mutation of one hyperparameter. */
  readonly rl_hp: number;
  /** Relative standard deviation of the noise on weights (default: 0.1). */
  readonly mutation_sd?: number;
  /** Activations to choose from (default: ReLU, ELU and GELU). */
  readonly activation_selection?: readonly Activation[];
  /** Whether the first slot, where selection puts the elite, mutates too (default: true). */
  readonly mutate_elite?: boolean;
  /** Default: 42. */
  readonly rand_seed?: number;
}

export interface MutationOptions {
  /** Set before the first generation: every member mutates (the weight `no_mutation` counts as 0). */
  readonly preTraining?: boolean;
  /** Generation that the random draws belong to (default: 0). */
  readonly generation?: number;
  /** Slots that mutate (default: all). `mutate_elite` does not apply to an explicit list. */
  readonly indices?: readonly number[] | null;
  /** Labels of slots that selection has changed, which they keep if they do not mutate (default: none). */
  readonly labels?: ReadonlyMap<number, string>;
}

const NAMES: OptionNames<MutationsOptions> = {
  no_mutation: true,
  architecture: true,
  new_layer_prob: true,
  parameters: true,
  activation: true,
  rl_hp: true,
  mutation_sd: true,
  activation_selection: true,
  mutate_elite: true,
  rand_seed: true,
};

const EXAMPLE =
  "{ no_mutation: 0.4, architecture: 0.2, new_layer_prob: 0.2, parameters: 0.2, activation: 0, rl_hp: 0.2 }";

const CATEGORIES = ["no_mutation", "architecture", "parameters", "activation", "rl_hp"] as const;
type Category = (typeof CATEGORIES)[number];

/** A kind of mutation requested by the user instead of drawn at random. */
export type ChosenMutation = "architecture" | "parameters" | "activation" | "hyperparameter";

const CHOSEN: Readonly<Record<ChosenMutation, Category>> = {
  architecture: "architecture",
  parameters: "parameters",
  activation: "activation",
  hyperparameter: "rl_hp",
};

/**
 * Mutates the members of a population at random, with one kind of mutation for each. Random draws depend only
 * on (rand_seed, slot, generation).
 *
 * @example
 * ```ts
 * const mutation = new Mutations({
 *   no_mutation: 0.4,
 *   architecture: 0.2,
 *   new_layer_prob: 0.2,
 *   parameters: 0.2,
 *   activation: 0,
 *   rl_hp: 0.2,
 * });
 * ```
 */
export class Mutations {
  readonly no_mutation: number;
  readonly architecture: number;
  readonly new_layer_prob: number;
  readonly parameters: number;
  readonly activation: number;
  readonly rl_hp: number;
  readonly mutation_sd: number;
  readonly activation_selection: readonly Activation[];
  readonly mutate_elite: boolean;
  readonly rand_seed: number;

  /**
   * @throws TypeError for unknown options; RangeError for a weight, probability, deviation or seed that is
   *   missing or out of range.
   */
  constructor(options: MutationsOptions, ...positional: never[]) {
    checkNames("Mutations", options, NAMES, { example: EXAMPLE, positional });
    this.no_mutation = requireWithin("no_mutation", options.no_mutation);
    this.architecture = requireWithin("architecture", options.architecture);
    this.new_layer_prob = requireWithin("new_layer_prob", options.new_layer_prob, 1);
    this.parameters = requireWithin("parameters", options.parameters);
    this.activation = requireWithin("activation", options.activation);
    this.rl_hp = requireWithin("rl_hp", options.rl_hp);
    this.mutation_sd = requireWithin("mutation_sd", options.mutation_sd ?? 0.1);
    this.activation_selection = options.activation_selection ?? ["ReLU", "ELU", "GELU"];
    this.mutate_elite = options.mutate_elite ?? true;
    this.rand_seed = options.rand_seed ?? 42;
    if (!Number.isSafeInteger(this.rand_seed) || this.rand_seed < 0) {
      throw new RangeError(`Mutations.rand_seed: found ${this.rand_seed}, allowed integers from 0`);
    }
  }

  /** Creates mutations from a specification. `options` take precedence (the run's seed, `mutate_elite`). */
  static fromSpec(
    { probabilities, mutation_sd, mutate_elite, rand_seed }: MutationSpec,
    options: Partial<MutationsOptions> = {},
  ): Mutations {
    return new Mutations({
      no_mutation: probabilities.no_mut,
      architecture: probabilities.arch_mut,
      new_layer_prob: probabilities.new_layer,
      parameters: probabilities.params_mut,
      activation: probabilities.act_mut,
      rl_hp: probabilities.rl_hp_mut,
      mutation_sd,
      mutate_elite,
      rand_seed,
      ...options,
    });
  }

  /** Mutates members in place and returns the population; each member's `mut` holds its mutation's label. */
  mutation<M extends Evolvable<M>>(population: readonly M[], options: MutationOptions = {}): readonly M[] {
    const { preTraining = false, generation = 0, indices = null, labels } = options;
    const listed = indices === null ? null : new Set(indices);
    population.forEach((member, slot) => {
      if (listed !== null && !listed.has(slot)) {
        // Its label is from an earlier generation.
        member.mut = NO_MUTATION;
        return;
      }
      const key: DrawKey = { seed: this.rand_seed, stream: "mutation", slot, generation };
      const spared = listed === null && slot === 0 && !this.mutate_elite;
      const category = spared ? "no_mutation" : this.#draw(subKey(key, "category"), preTraining);
      const mut = this.#apply(category, member, subKey(key, category));
      member.mut = mut === NO_MUTATION ? (labels?.get(slot) ?? mut) : mut;
    });
    return population;
  }

  /**
   * Applies one mutation of a chosen kind in place; the member's `mut` holds its label.
   * @param place Random draws depend on it and on `rand_seed`; `ordinal` distinguishes mutations of one
   *   generation.
   */
  mutateOne<M extends Evolvable<M>>(
    member: M,
    kind: ChosenMutation,
    place: { readonly slot: number; readonly generation: number; readonly ordinal: number },
  ): void {
    const { slot, generation, ordinal } = place;
    const key: DrawKey = { seed: this.rand_seed, stream: `chosen/${ordinal}`, slot, generation };
    const category = CHOSEN[kind];
    member.mut = this.#apply(category, member, subKey(key, category));
  }

  #draw(key: DrawKey, preTraining: boolean): Category {
    const weights = CATEGORIES.map((category) =>
      preTraining && category === "no_mutation" ? 0 : this[category],
    );
    const drawn = new Random(key).weighted(weights);
    return drawn === null ? "no_mutation" : (CATEGORIES[drawn] as Category);
  }

  #apply<M extends Evolvable<M>>(category: Category, member: M, key: DrawKey): string {
    switch (category) {
      case "no_mutation":
        return NO_MUTATION;
      case "architecture":
        return member.mutateArchitecture({ new_layer_prob: this.new_layer_prob, key });
      case "parameters":
        return member.mutateParameters({ mutation_sd: this.mutation_sd, key });
      case "activation":
        return member.mutateActivation({ activation_selection: this.activation_selection, key });
      case "rl_hp": {
        const step = member.hp_config?.mutate(member.hyperparameters, new Random(key)) ?? null;
        if (step === null || step.value === member.hyperparameters[step.name]) return NO_MUTATION;
        member.setHyperparameter(step.name, step.value);
        return step.name;
      }
    }
  }
}

function requireWithin(name: string, value: number, highest = Number.MAX_VALUE): number {
  if (typeof value === "number" && value >= 0 && value <= highest) return value;
  const allowed = highest === 1 ? "0 to 1" : "finite numbers from 0";
  throw new RangeError(`Mutations.${name}: found ${value}, allowed ${allowed}`);
}
