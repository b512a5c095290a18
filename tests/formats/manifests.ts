/** Runs of the fixtures: over in a second, and small. */
import { tinyDqn, tinyPpo } from "../workers/support/manifests.ts";

const dqn = tinyDqn({ pop_size: 2, max_steps: 256 });

export const fixtureManifests = {
  /** Off-policy, with a replay memory whose rings go round. */
  DQN: dqn,
  /** Off-policy, with priorities and returns over several steps. */
  RainbowDQN: {
    ...dqn,
    algorithm: { name: "RainbowDQN", batch_size: 16, lr: 0.001, learn_step: 4, num_atoms: 11 },
    replay_buffer: {
      max_size: 400,
      per_buffer: true,
      n_step_buffer: true,
      n_step_buffer_args: { n_step: 3 },
    },
  },
  /** On-policy, with continuous actions. */
  PPO: tinyPpo({ pop_size: 2, max_steps: 384 }),
} as const;

/** Of the workbench, whose exports have several checkpoints. */
export const workbenchManifest = {
  ...dqn,
  training: { ...dqn.training, max_steps: 128 },
  network: { latent_dim: 8, encoder_config: { hidden_size: [4] }, head_config: { hidden_size: [4] } },
  mutation: null,
  replay_buffer: { kind: "classic", max_size: 200 },
};
