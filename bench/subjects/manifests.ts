/** Manifests of the runs that the population rows measure. */
import type { TrainingManifestInput } from "../../src/manifests/index.ts";

/** Mutation probabilities in AgileRL's DQN and PPO configurations. */
const probabilities = (arch_mut: number, act_mut: number) => ({
  no_mut: 0.4,
  arch_mut,
  new_layer: 0.2,
  params_mut: 0.2,
  act_mut,
  rl_hp_mut: 0.2,
});
const TOURNAMENT = { strategy: "tournament", tournament_size: 2, elitism: true } as const;
const CARTPOLE = { name: "CartPole-v1", num_envs: 16 } as const;

/** AgileRL's dqn.yaml on CartPole: width 128, batch size 128. */
export const shippedDqn = (arch_mut = 0.2): TrainingManifestInput => ({
  algorithm: { name: "DQN", batch_size: 128, lr: 0.00063, learn_step: 4, gamma: 0.99, tau: 0.001 },
  environment: CARTPOLE,
  training: {
    max_steps: 1_000_000,
    pop_size: 4,
    evo_steps: 10_000,
    eps_start: 1,
    eps_end: 0.1,
    eps_decay: 0.99,
  },
  replay_buffer: { max_size: 100_000 },
  network: { latent_dim: 128, encoder_config: { hidden_size: [128] }, head_config: { hidden_size: [128] } },
  mutation: {
    probabilities: probabilities(arch_mut, 0.2),
    rl_hp_selection: {
      lr: { min: 0.0000625, max: 0.01 },
      batch_size: { min: 8, max: 512 },
      learn_step: { min: 1, max: 10 },
    },
    mutation_sd: 0.1,
  },
  selection_strategy: TOURNAMENT,
});

/** The same with encoder [64], latent dimension 64, head [64] and batch size 64. */
export function smallDqn(arch_mut: number): TrainingManifestInput {
  const manifest = shippedDqn(arch_mut);
  return {
    ...manifest,
    algorithm: { ...manifest.algorithm, name: "DQN", batch_size: 64 },
    network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
  };
}

/** AgileRL's ppo.yaml on CartPole. */
export const shippedPpo = (arch_mut: number): TrainingManifestInput => ({
  algorithm: {
    name: "PPO",
    batch_size: 128,
    lr: 0.001,
    learn_step: 2048,
    gamma: 0.99,
    gae_lambda: 0.95,
    clip_coef: 0.2,
    ent_coef: 0.01,
    vf_coef: 0.5,
    max_grad_norm: 0.5,
    update_epochs: 4,
    share_encoders: true,
  },
  environment: CARTPOLE,
  training: { max_steps: 6_000_000, pop_size: 4, evo_steps: 10_240 },
  network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
  mutation: {
    probabilities: probabilities(arch_mut, 0),
    rl_hp_selection: {
      lr: { min: 0.0001, max: 0.01 },
      batch_size: { min: 8, max: 1024 },
      learn_step: { min: 256, max: 8192 },
      ent_coef: { min: 0.001, max: 0.1 },
      update_epochs: { min: 1, max: 10 },
    },
    mutation_sd: 0.1,
  },
  selection_strategy: TOURNAMENT,
});

/**
 * The same run with constant work per step. Learning rates and weights still mutate, but activations and the
 * hyperparameters that change a step's duration do not.
 */
export function held(manifest: TrainingManifestInput): TrainingManifestInput {
  const { mutation } = manifest;
  const lr = mutation?.rl_hp_selection?.lr;
  return {
    ...manifest,
    mutation: {
      ...mutation,
      probabilities: { ...mutation?.probabilities, act_mut: 0 },
      ...(lr ? { rl_hp_selection: { lr } } : {}),
    },
  };
}
