/** Sections of a manifest whose fields docs/manifest.md lists, by the names of their tables. */
import type { z } from "zod";
import {
  BanditEnvSpec,
  DatasetEnvSpec,
  DeferredNetworkSpec,
  FinetuningNetworkSpec,
  GymEnvSpec,
  HalvingSelectionSpec,
  LoraConfigDict,
  MultiFrequencySelectionSpec,
  MutationProbabilities,
  MutationSpec,
  OfflineEnvSpec,
  ReplayBufferSpec,
  RLHyperparameter,
  TournamentSelectionSpec,
  TrainingSpec,
  TruncationSelectionSpec,
} from "../../src/manifests/index.ts";
import { gymEnvShape } from "../../src/specs/sections.ts";

interface Section {
  readonly schema: z.ZodType;
  /** Fields that the text or another table describes. */
  readonly leftOut?: readonly string[];
}

/** A label, in several sections. */
const LABEL = "name";

export const SECTIONS: Readonly<Record<string, Section>> = {
  training: { schema: TrainingSpec, leftOut: [LABEL] },
  "environment.gym": { schema: GymEnvSpec, leftOut: ["env_type"] },
  "environment.offline": { schema: OfflineEnvSpec, leftOut: ["env_type", ...Object.keys(gymEnvShape)] },
  "environment.bandit": { schema: BanditEnvSpec, leftOut: ["env_type", LABEL, ...Object.keys(gymEnvShape)] },
  // RolloutEnvSpec has the same fields.
  "environment.dataset": { schema: DatasetEnvSpec, leftOut: ["env_type", LABEL] },
  network: { schema: DeferredNetworkSpec },
  "network.language_model": { schema: FinetuningNetworkSpec },
  "network.lora_config": { schema: LoraConfigDict },
  mutation: { schema: MutationSpec, leftOut: [LABEL] },
  "mutation.probabilities": { schema: MutationProbabilities },
  "mutation.rl_hp_selection": { schema: RLHyperparameter },
  replay_buffer: { schema: ReplayBufferSpec, leftOut: ["kind", LABEL] },
  "selection_strategy.tournament": { schema: TournamentSelectionSpec, leftOut: ["strategy", LABEL] },
  "selection_strategy.truncation": { schema: TruncationSelectionSpec, leftOut: ["strategy", LABEL] },
  "selection_strategy.halving": {
    schema: HalvingSelectionSpec,
    leftOut: ["strategy", LABEL, ...Object.keys(TruncationSelectionSpec.shape)],
  },
  "selection_strategy.multi_frequency": {
    schema: MultiFrequencySelectionSpec,
    leftOut: ["strategy", LABEL],
  },
};
