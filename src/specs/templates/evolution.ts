import type { MutationSpecInput } from "../MutationSpec.ts";
import type { TournamentSelectionSpecInput } from "../TournamentSelectionSpec.ts";

/** Mutation of the templates: hyperparameters most often, then architecture and weights. */
export function mutationOf(
  rl_hp_selection: NonNullable<MutationSpecInput["rl_hp_selection"]>,
): MutationSpecInput {
  return {
    probabilities: {
      no_mut: 0.4,
      arch_mut: 0.1,
      new_layer: 0.2,
      params_mut: 0.1,
      act_mut: 0,
      rl_hp_mut: 0.4,
    },
    rl_hp_selection,
    mutation_sd: 0.1,
    rand_seed: 42,
  };
}

export const TOURNAMENT: TournamentSelectionSpecInput = {
  strategy: "tournament",
  tournament_size: 2,
  elitism: true,
};
