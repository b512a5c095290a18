/** Sections of a manifest whose fields docs/manifest.md lists, by the names of their tables. */
import type { z } from "zod";
import {
  BanditEnvSpec,
  DatasetEnvSpec,
  GymEnvSpec,
  MultiFrequencySelectionSpec,
  MutationProbabilities,
  MutationSpec,
  OfflineEnvSpec,
  ReplayBufferSpec,
  RLHyperparameter,
  TournamentSelectionSpec,
  TrainingSpec,
} from "../../src/manifests/index.ts";
import { gymEnvShape } from "../../src/specs/sections.ts";

interface Section {
  readonly schema: z.ZodType;
  /** Fields that the text or another table describes. */
  readonly leftOut?: readonly string[];
}

export const SECTIONS: Readonly<Record<string, Section>> = {
  training: { schema: TrainingSpec },
  "environment.gym": { schema: GymEnvSpec, leftOut: ["env_type"] },
  "environment.offline": { schema: OfflineEnvSpec, leftOut: ["env_type", ...Object.keys(gymEnvShape)] },
  "environment.bandit": { schema: BanditEnvSpec, leftOut: ["env_type"] },
  // RolloutEnvSpec has the same fields.
  "environment.dataset": { schema: DatasetEnvSpec, leftOut: ["env_type"] },
  mutation: { schema: MutationSpec },
  "mutation.probabilities": { schema: MutationProbabilities },
  "mutation.rl_hp_selection": { schema: RLHyperparameter },
  replay_buffer: { schema: ReplayBufferSpec, leftOut: ["kind"] },
  "selection_strategy.tournament": { schema: TournamentSelectionSpec, leftOut: ["strategy"] },
  "selection_strategy.multi_frequency": { schema: MultiFrequencySelectionSpec, leftOut: ["strategy"] },
};
