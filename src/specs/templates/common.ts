import type { MutationSpecInput } from "../MutationSpec.ts";
import type { TrainingManifestInput } from "../manifest/TrainingManifest.ts";
import type { DeferredNetworkSpecInput } from "../networks/DeferredNetworkSpec.ts";
import type { TournamentSelectionSpecInput } from "../TournamentSelectionSpec.ts";

/** Mutation of the templates: hyperparameters most often, then architecture and weights. */
function mutationOf(rl_hp_selection: NonNullable<MutationSpecInput["rl_hp_selection"]>): MutationSpecInput {
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

/** Search ranges of the Q-learning templates. */
export const DQN_MUTATION = mutationOf({
  lr: { min: 0.0001, max: 0.01 },
  batch_size: { min: 16, max: 256 },
  learn_step: { min: 1, max: 10, grow_factor: 1.5, shrink_factor: 0.75 },
});

/** Search ranges of templates whose value estimates fail at high learning rates. */
export const VALUE_MUTATION = mutationOf({
  lr: { min: 0.0003, max: 0.003 },
  batch_size: { min: 32, max: 128 },
});

/** Search ranges of the templates with deterministic policies. */
export const ACTOR_CRITIC_MUTATION = mutationOf({
  lr_actor: { min: 0.0003, max: 0.003 },
  lr_critic: { min: 0.0003, max: 0.003 },
  batch_size: { min: 64, max: 256 },
});

/** The same for tasks that need many steps: lower rates, and no larger batches, which take longer. */
export const LONG_ACTOR_CRITIC_MUTATION = mutationOf({
  lr_actor: { min: 0.0001, max: 0.001 },
  lr_critic: { min: 0.0003, max: 0.002 },
});

/** Search ranges of the policy-gradient templates. */
export const PPO_MUTATION = mutationOf({
  lr: { min: 0.0001, max: 0.01 },
  batch_size: { min: 64, max: 512 },
  ent_coef: { min: 0.001, max: 0.1 },
});

/** Search ranges of the multi-agent PPO templates: lower rates, since each agent sees the others change. */
export const TEAM_PPO_MUTATION = mutationOf({
  lr: { min: 0.0003, max: 0.003 },
  batch_size: { min: 64, max: 256 },
  ent_coef: { min: 0.001, max: 0.03 },
});

/** Search ranges of the template with memory, whose batch size counts sequences. */
export const PPO_RECURRENT_MUTATION = mutationOf({
  lr: { min: 0.0003, max: 0.003 },
  batch_size: { min: 8, max: 64 },
});

/** Search ranges of PPO with continuous actions, which explores by its spread, not by an entropy bonus. */
export const PPO_CONTINUOUS_MUTATION = mutationOf({
  lr: { min: 0.0001, max: 0.001 },
  batch_size: { min: 32, max: 256 },
  update_epochs: { min: 5, max: 20, grow_factor: 1.5, shrink_factor: 0.75 },
});

export const TOURNAMENT: TournamentSelectionSpecInput = {
  strategy: "tournament",
  tournament_size: 2,
  elitism: true,
};

/** With one-step returns, deterministic policies learn to hover and hardly ever to land. */
export const LANDER_MEMORY: TrainingManifestInput["replay_buffer"] = {
  kind: "classic",
  max_size: 400_000,
  n_step_buffer: true,
  n_step_buffer_args: { n_step: 6 },
};

/** Layers of 64 throughout: enough for the classic control tasks. */
export const SMALL_NETWORK: DeferredNetworkSpecInput = {
  latent_dim: 64,
  encoder_config: { hidden_size: [64] },
  head_config: { hidden_size: [64] },
};

/** Smooth layers without normalisation, which would hide how far a state is from rest. */
export const TANH_NETWORK: DeferredNetworkSpecInput = {
  latent_dim: 64,
  encoder_config: { hidden_size: [64], activation: "Tanh", layer_norm: false },
  head_config: { hidden_size: [64], activation: "Tanh", layer_norm: false },
};

/** Layers of 64 without normalisation. */
export const PLAIN_NETWORK: DeferredNetworkSpecInput = {
  latent_dim: 64,
  encoder_config: { hidden_size: [64], layer_norm: false },
  head_config: { hidden_size: [64], layer_norm: false },
};

/** Layers of 128 without normalisation, for the landers. */
export const WIDE_NETWORK: DeferredNetworkSpecInput = {
  latent_dim: 128,
  encoder_config: { hidden_size: [128], layer_norm: false },
  head_config: { hidden_size: [128], layer_norm: false },
};

/** Evolution of language models changes hyperparameters only. */
export const languageModelMutation = (
  rl_hp_selection: NonNullable<MutationSpecInput["rl_hp_selection"]>,
): MutationSpecInput => ({
  probabilities: { no_mut: 0.2, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0.8 },
  rl_hp_selection,
  rand_seed: 42,
});

/** The task of the templates that answer with the next digit. */
export const NEXT_DIGIT = {
  environment: {
    env_type: "rollout",
    name: "ConditionalTarget",
    entrypoint: "rlkit/ConditionalTarget",
    max_turns: 1,
    max_reward: 1,
  },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 32 },
  mutation: languageModelMutation({ lr: { min: 0.000_005, max: 0.001 } }),
  selection_strategy: TOURNAMENT,
} as const satisfies Partial<TrainingManifestInput>;

/** Algorithm fields of the next-digit templates. */
export const NEXT_DIGIT_FIELDS = {
  micro_batch_size_per_gpu: 32,
  // Low enough for evolution to find a better rate, and for people to watch.
  lr: 0.000_01,
  beta: 0.001,
  // Below 1, so that a trained model rarely samples a wrong answer.
  temperature: 0.7,
  max_grad_norm: 1,
  max_output_tokens: 1,
  max_model_len: 32,
} as const;

/** Training settings of the next-digit templates. */
export const NEXT_DIGIT_TRAINING = {
  hpo: true,
  pop_size: 4,
  evo_steps: 5,
  evaluation_interval: 5,
  eval_loop: 64,
  target_score: 0.95,
} as const;
