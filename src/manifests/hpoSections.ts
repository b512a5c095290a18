/** What `training.hpo` fills in where a manifest leaves it open: the recipes that docs/evolution.md compares. */

import {
  HalvingSelectionSpec,
  NoSelectionSpec,
  type SelectionStrategySpec,
  TournamentSelectionSpec,
  TruncationSelectionSpec,
} from "../evolution/selections.ts";
import { MutationSpec, NO_MUTATION } from "../specs/sections.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";
import { algorithmDefinition, defaultHpRanges } from "./registry.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** Episodes of the final evaluation with hpo. */
const FINAL_EPISODES = 30;

/**
 * The recipe of this build. Saved runs go on with theirs. With recipe 1, `hpo: true` had the default sections, ranges
 * around the given values, and no final evaluation; with recipe 2, no drawn start and no shared experience.
 */
export const HPO_RECIPE = 3;

/**
 * The mutation of AgileRL, as far as the algorithm's agents support it. Adapters have no architecture, and their weights get
 * no noise: an agent for which that would be drawn stays as it is, so that the others mutate as often as ever.
 */
function usualMutation({ name }: AlgoSpec): MutationSpec {
  const usual = MutationSpec.parse({});
  if (!algorithmDefinition(name).language_model) return usual;
  const { no_mut, arch_mut, params_mut } = usual.probabilities;
  const none = { no_mut: no_mut + arch_mut + params_mut, arch_mut: 0, new_layer: 0, params_mut: 0 };
  return { ...usual, probabilities: { ...usual.probabilities, ...none } };
}

/** The settings of evolution, without open ones. */
export interface EvolutionSections {
  readonly mutation: MutationSpec | null;
  readonly selection_strategy: SelectionStrategySpec | null;
  readonly final_episodes: number;
  /** Null for algorithms that are not off-policy. */
  readonly learn_from: "own" | "population" | null;
}

/**
 * Ranges of an algorithm's hyperparameters that hpo searches: with `true`, the default ones to mutate; with
 * `search`, all that the algorithm's definition names. Initial values are drawn. A given value widens its range, else
 * the ranges do not depend on it.
 */
export function searchRanges(spec: AlgoSpec, hpo: true | "search"): MutationSpec["rl_hp_selection"] {
  const { search } = algorithmDefinition(spec.name);
  const usual = defaultHpRanges(spec);
  if (search === null) return usual;
  const given: Readonly<Record<string, unknown>> = { ...spec };
  const found = Object.entries(search).flatMap(([name, { unless, ...range }]) => {
    const value = given[name];
    if (typeof value !== "number" || (hpo === true && !(name in usual))) return [];
    if (unless !== undefined && given[unless] !== null) return [];
    const { min, max } = range;
    // No logarithmic range reaches 0, with which only the first agent starts.
    const least = value > 0 ? Math.min(min, value) : min;
    const widened = { min: least, max: Math.max(max, value), initial: "log_uniform" } as const;
    return [[name, { ...range, ...widened }] as const];
  });
  const ranges = MutationSpec.parse({ rl_hp_selection: Object.fromEntries(found) }).rl_hp_selection;
  return hpo === true ? { ...usual, ...ranges } : ranges;
}

/** The mutation of a section that leaves the ranges open. */
const withRanges = (
  mutation: MutationSpec | null,
  ranges: () => MutationSpec["rl_hp_selection"],
): MutationSpec | null =>
  mutation && Object.keys(mutation.rl_hp_selection).length === 0
    ? { ...mutation, rl_hp_selection: ranges() }
    : mutation;

/** The settings of a run's evolution: those of its sections, and of its hpo where they are absent. */
export function evolutionSections(manifest: TrainingManifest, recipe = HPO_RECIPE): EvolutionSections {
  const { algorithm, training } = manifest;
  const { hpo } = training;
  const { off_policy, value_based } = algorithmDefinition(algorithm.name);
  // A manifest that writes its own evolution keeps its number of learning steps.
  const isOpen = manifest.mutation === null && manifest.selection_strategy === null;
  const shares = hpo === "search" || (hpo && isOpen && recipe >= 3);
  const unset = shares && training.pop_size > 1 ? "population" : "own";
  const learn_from = off_policy ? (training.learn_from ?? unset) : null;
  if (hpo === false) {
    const { selection_strategy } = manifest;
    const mutation = withRanges(manifest.mutation, () => defaultHpRanges(algorithm));
    return { mutation, selection_strategy, final_episodes: training.final_episodes ?? 0, learn_from };
  }
  if (hpo === true && recipe < 2) {
    const mutation = manifest.mutation ?? usualMutation(algorithm);
    return {
      mutation: withRanges(mutation, () => defaultHpRanges(algorithm)),
      selection_strategy: manifest.selection_strategy ?? TournamentSelectionSpec.parse({}),
      final_episodes: training.final_episodes ?? 0,
      learn_from,
    };
  }
  const final_episodes = training.final_episodes ?? FINAL_EPISODES;
  if (hpo === "search") {
    const mutation = manifest.mutation ?? MutationSpec.parse({ probabilities: NO_MUTATION });
    return {
      mutation: withRanges(mutation, () => searchRanges(algorithm, hpo)),
      selection_strategy: manifest.selection_strategy ?? searchSelection(training.pop_size),
      final_episodes,
      learn_from,
    };
  }
  // Noise on the weights of a Q network changes its greedy actions everywhere.
  const still = value_based ? { no_mut: 0.6, params_mut: 0 } : {};
  const usual = usualMutation(algorithm);
  const probabilities = { ...usual.probabilities, ...still };
  const mutation = manifest.mutation ?? { ...usual, probabilities, mutate_elite: false };
  return {
    mutation: withRanges(mutation, () => searchRanges(algorithm, hpo)),
    selection_strategy: manifest.selection_strategy ?? TournamentSelectionSpec.parse({}),
    final_episodes,
    learn_from,
  };
}

/** A race to half of the population, and truncation selection after it; without the race in small populations. */
function searchSelection(pop_size: number): SelectionStrategySpec {
  if (pop_size === 1) return NoSelectionSpec.parse({ strategy: "none" });
  const smallest = pop_size / 2;
  if (smallest >= 4 && Number.isInteger(smallest))
    return HalvingSelectionSpec.parse({ strategy: "halving", smallest, followed_by: "truncation" });
  return TruncationSelectionSpec.parse({ strategy: "truncation", quantile: Math.max(0.25, 1 / pop_size) });
}
