/** Manifests of runs that take about a second. */

const mutation = {
  probabilities: {
    no_mut: 0.2,
    arch_mut: 0.3,
    new_layer: 0.3,
    params_mut: 0.3,
    act_mut: 0.1,
    rl_hp_mut: 0.3,
  },
  rl_hp_selection: { lr: { min: 0.0001, max: 0.01 } },
};
const selection_strategy = { tournament_size: 2, elitism: true };
const network = {
  latent_dim: 8,
  encoder_config: { hidden_size: [8], min_mlp_nodes: 4, max_mlp_nodes: 32 },
  head_config: { hidden_size: [8], min_mlp_nodes: 4, max_mlp_nodes: 32 },
};

interface TinyOptions {
  readonly pop_size?: number;
  readonly max_steps?: number;
}

/** An off-policy run whose replay buffers are so small that they wrap around. */
export const tinyDqn = ({ pop_size = 3, max_steps = 512 }: TinyOptions = {}) => ({
  algorithm: { name: "DQN", batch_size: 16, lr: 0.001, learn_step: 4 },
  environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 },
  training: { pop_size, max_steps, evo_steps: 128, learning_delay: 16, eps_decay: 0.98 },
  network,
  mutation,
  replay_buffer: { kind: "classic", max_size: 200 * pop_size },
  selection_strategy,
});

/** An off-policy run in an environment that JavaScript steps. */
export const tinyLander = (options: TinyOptions = {}) => ({
  ...tinyDqn(options),
  environment: { env_type: "gym", name: "LunarLander-v3", num_envs: 4 },
});

export const tinyPpo = ({ pop_size = 3, max_steps = 768 }: TinyOptions = {}) => ({
  algorithm: { name: "PPO", batch_size: 32, lr: 0.001, learn_step: 64, update_epochs: 2 },
  environment: { env_type: "gym", name: "Pendulum-v1", num_envs: 4 },
  training: { pop_size, max_steps, evo_steps: 192 },
  network,
  mutation,
  selection_strategy,
});
