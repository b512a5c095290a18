/** What `training.hpo` fills in where a manifest leaves it open: the recipes that docs/evolution.md compares. */
import {
  HalvingSelectionSpec,
  MutationSpec,
  NO_MUTATION,
  type RLHyperparameter,
  type SelectionStrategySpec,
  TournamentSelectionSpec,
} from "../specs/sections.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";
import { algorithmDefinition, defaultHpRanges } from "./registry.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** Episodes of the final evaluation with hpo. */
const FINAL_EPISODES = 30;

/** The settings of evolution, without open ones. */
export interface EvolutionSections {
  readonly mutation: MutationSpec | null;
  readonly selection_strategy: SelectionStrategySpec | null;
  readonly final_episodes: number;
  /** Null for algorithms that are not off-policy. */
  readonly learn_from: "own" | "population" | null;
}

/**
 * Ranges of an algorithm's hyperparameters for `hpo: true` and, with drawn initial values, for `search`. They
 * do not depend on the given values.
 */
export function searchRanges(
  spec: AlgoSpec,
  initial: RLHyperparameter["initial"],
): MutationSpec["rl_hp_selection"] {
  const { search } = algorithmDefinition(spec.name);
  if (search === null) return defaultHpRanges(spec);
  const given: Readonly<Record<string, unknown>> = { ...spec };
  const ranges = Object.entries(search).filter(([name]) => typeof given[name] === "number");
  return MutationSpec.parse({
    rl_hp_selection: Object.fromEntries(ranges.map(([name, range]) => [name, { ...range, initial }])),
  }).rl_hp_selection;
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
export function evolutionSections(manifest: TrainingManifest): EvolutionSections {
  const { algorithm, training } = manifest;
  const { hpo } = training;
  const { off_policy, value_based } = algorithmDefinition(algorithm.name);
  const usual = hpo === "search" && training.pop_size > 1 ? "population" : "own";
  const learn_from = off_policy ? (training.learn_from ?? usual) : null;
  if (hpo === false) {
    const { mutation, selection_strategy } = manifest;
    return { mutation, selection_strategy, final_episodes: training.final_episodes ?? 0, learn_from };
  }
  const final_episodes = training.final_episodes ?? FINAL_EPISODES;
  if (hpo === "search") {
    const mutation = manifest.mutation ?? MutationSpec.parse({ probabilities: NO_MUTATION });
    return {
      mutation: withRanges(mutation, () => searchRanges(algorithm, "log_uniform")),
      selection_strategy: manifest.selection_strategy ?? searchSelection(training.pop_size),
      final_episodes,
      learn_from,
    };
  }
  // Noise on the weights of a Q network changes its greedy actions everywhere.
  const probabilities = value_based ? { no_mut: 0.6, params_mut: 0 } : {};
  const mutation = manifest.mutation ?? MutationSpec.parse({ probabilities, mutate_elite: false });
  return {
    mutation: withRanges(mutation, () => searchRanges(algorithm, "value")),
    selection_strategy: manifest.selection_strategy ?? TournamentSelectionSpec.parse({}),
    final_episodes,
    learn_from,
  };
}

/** A race to half of the population, and truncation selection after it. */
const searchSelection = (pop_size: number): SelectionStrategySpec =>
  pop_size % 2 === 0 && pop_size >= 8
    ? HalvingSelectionSpec.parse({ strategy: "halving", smallest: pop_size / 2, followed_by: "truncation" })
    : { strategy: "truncation", name: null, quantile: 0.25, resample: 0.25, perturb: [0.8, 1.25] };
