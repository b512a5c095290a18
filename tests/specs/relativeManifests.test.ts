import { describe, expect, it } from "vitest";
import {
  agentNetwork,
  isNetworkMap,
  parseManifest,
  resolveNetwork,
  type TrainingManifest,
} from "../../src/manifests/index.ts";

// The keys, but not the values or comments, of AgileRL's configuration files.
const DQN = `---
algorithm:
    name: DQN
    double: false
    batch_size: 128
    cudagraphs: false
    lr: 6.3e-4
    gamma: 0.99
    learn_step: 4
    tau: 0.001
environment:
    name: LunarLander-v3
    num_envs: 16
training:
    max_steps: 1_000_000
    target_score: 200.0
    pop_size: 4
    evo_steps: 10_000
    eval_steps:
    eval_loop: 1
    learning_delay: 0
    eps_start: 1.0
    eps_end: 0.1
    eps_decay: 0.99
replay_buffer:
    max_size: 100_000
mutation:
    probabilities: {no_mut: 0.4, arch_mut: 0.2, new_layer: 0.2, params_mut: 0.2, act_mut: 0.2, rl_hp_mut: 0.2}
    rl_hp_selection:
        lr: {min: 0.0000625, max: 0.01}
        batch_size: {min: 8, max: 512}
        learn_step: {min: 1, max: 10}
    mutation_sd: 0.1
    rand_seed: 42
network:
    latent_dim: 128
    encoder_config:
        hidden_size: [128]
    head_config:
        hidden_size: [128]
selection_strategy:
    tournament_size: 2
    elitism: true
`;

const PPO = `---
algorithm:
    name: PPO
    batch_size: 128
    lr: 0.001
    learn_step: 2048
    gamma: 0.99
    gae_lambda: 0.95
    action_std_init: 0.6
    clip_coef: 0.2
    ent_coef: 0.01
    vf_coef: 0.5
    max_grad_norm: 0.5
    target_kl:
    update_epochs: 4
    share_encoders: true
environment:
    name: CartPole-v1
    num_envs: 16
training:
    max_steps: 6_000_000
    target_score: 250.
    pop_size: 4
    evo_steps: 10_240
    eval_steps:
    eval_loop: 1
mutation:
    probabilities: {no_mut: 0.4, arch_mut: 0, new_layer: 0.2, params_mut: 0.2, act_mut: 0, rl_hp_mut: 0.2}
    rl_hp_selection:
        lr: {min: 0.0001, max: 0.01}
        batch_size: {min: 8, max: 1024}
        learn_step: {min: 256, max: 8192}
        ent_coef: {min: 0.001, max: 0.1}
        update_epochs: {min: 1, max: 10}
network:
    latent_dim: 64
    arch: mlp
    encoder_config:
        hidden_size: [64]
        activation: ReLU
        min_mlp_nodes: 64
        max_mlp_nodes: 500
        layer_norm: true
    head_config:
        hidden_size: [64]
        activation: ReLU
        output_activation:
        min_hidden_layers: 1
        max_hidden_layers: 3
        min_mlp_nodes: 64
        max_mlp_nodes: 500
        output_vanish: true
        layer_norm: true
tournament_selection:
    tournament_size: 2
    elitism: true
`;

function oneNetwork(manifest: TrainingManifest) {
  const network = agentNetwork(manifest);
  if (isNetworkMap(network)) throw new Error("networks of several agents");
  return network;
}

describe("manifests in the shape that AgileRL ships", () => {
  it("read for DQN, with null, underscores and an undeclared architecture", () => {
    const manifest = parseManifest(DQN);
    expect(manifest.training).toMatchObject({
      max_steps: 1_000_000,
      evo_steps: 10_000,
      eval_steps: null,
      eps_decay: 0.99,
    });
    expect(manifest.replay_buffer).toMatchObject({ kind: "classic", max_size: 100_000 });
    expect(resolveNetwork(oneNetwork(manifest))).toMatchObject({
      latent_dim: 128,
      encoder_config: { hidden_size: [128], max_mlp_nodes: 500 },
      head_config: { hidden_size: [128] },
    });
  });

  it("read for PPO, with a declared architecture", () => {
    const manifest = parseManifest(PPO);
    expect(manifest.algorithm).toMatchObject({ target_kl: null, num_envs: 16, action_std_init: 0.6 });
    expect(manifest.training.target_score).toBe(250);
    expect(manifest.selection_strategy).toMatchObject({ strategy: "tournament", elitism: true });
    expect(resolveNetwork(oneNetwork(manifest), { criticHead: [16] })).toMatchObject({
      latent_dim: 64,
      encoder_config: { min_mlp_nodes: 64, max_mlp_nodes: 500, max_hidden_layers: 6 },
      critic_head_config: { hidden_size: [64] },
    });
  });
});
