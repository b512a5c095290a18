/** A run of ten generations in which a language model learns to say one number. */
export const reasoning = {
  algorithm: {
    ...{ name: "GRPO", batch_size: 8, group_size: 4, beta: 0, lr: 0.002, temperature: 0.7, max_grad_norm: 1 },
    max_output_tokens: 1,
  },
  environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget", max_turns: 1, max_reward: 1 },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
  training: { pop_size: 2, max_steps: 640, evo_steps: 4, evaluation_interval: 2, eval_loop: 16 },
  mutation: {
    probabilities: { no_mut: 0.2, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0.8 },
    rl_hp_selection: { lr: { min: 1e-4, max: 5e-3 } },
    rand_seed: 7,
  },
  selection_strategy: { tournament_size: 2, elitism: true },
};

export const REASONING_GENERATIONS = 10;
