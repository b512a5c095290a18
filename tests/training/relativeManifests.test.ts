import { describe, expect, it } from "vitest";
import { LocalTrainer } from "../../src/training/index.ts";
import { trained } from "./support/tiny.ts";

// The values of the dqn.yaml and ppo.yaml that AgileRL ships, on CartPole-v1 and for a few hundred steps.
const EVOLUTION = (act_mut: number) => `
mutation:
  probabilities: {no_mut: 0.4, arch_mut: 0.2, new_layer: 0.2, params_mut: 0.2, act_mut: ${act_mut}, rl_hp_mut: 0.2}
  rl_hp_selection:
    lr: {min: 0.0000625, max: 0.01}
    batch_size: {min: 8, max: 512}
    learn_step: {min: ${act_mut > 0 ? "1, max: 10" : "256, max: 8192"}, grow_factor: 1.5, shrink_factor: 0.75}
  mutation_sd: 0.1
  rand_seed: 42
selection_strategy:
  strategy: tournament
  tournament_size: 2
  elitism: true
`;

const DQN = `
algorithm: {name: DQN, double: false, batch_size: 128, cudagraphs: false, lr: 6.3e-4, gamma: 0.99, learn_step: 4, tau: 0.001}
environment: {name: CartPole-v1, num_envs: 16}
training: {max_steps: 320, target_score: 200.0, pop_size: 4, evo_steps: 320, eval_steps: , eval_loop: 1, learning_delay: 0, eps_start: 1.0, eps_end: 0.1, eps_decay: 0.99}
replay_buffer: {max_size: 100_000}
network: {latent_dim: 128, encoder_config: {hidden_size: [128]}, head_config: {hidden_size: [128]}}
${EVOLUTION(0.2)}`;

const PPO = `
algorithm: {name: PPO, batch_size: 128, lr: 0.001, learn_step: 2048, gamma: 0.99, gae_lambda: 0.95, action_std_init: 0.6, clip_coef: 0.2, ent_coef: 0.01, vf_coef: 0.5, max_grad_norm: 0.5, target_kl: , update_epochs: 4, share_encoders: true}
environment: {name: CartPole-v1, num_envs: 16}
training: {max_steps: 2_048, target_score: 250., pop_size: 4, evo_steps: 2_048, eval_steps: , eval_loop: 1}
network: {latent_dim: 64, encoder_config: {hidden_size: [64], activation: ReLU, layer_norm: true}, head_config: {hidden_size: [64], layer_norm: true}}
${EVOLUTION(0)}`;

describe("AgileRL's own settings", () => {
  it("train for a generation of DQN", async () => {
    const run = await trained(await LocalTrainer.fromManifest(DQN));
    expect(run.population.map(({ steps }) => steps)).toEqual([320, 320, 320, 320]);
    // A member whose learn_step did not mutate: from the batch on, one learning step for 4 steps.
    const untouched = run.recorder.generations[0]?.members.filter(
      ({ hyperparameters: h }) => h.learn_step === 4 && h.batch_size === 128,
    );
    expect(untouched?.length).toBeGreaterThan(0);
    for (const { learn_steps } of untouched ?? []) expect(learn_steps).toBe((320 - 112) / 4);
    expect(run.fitnesses.every(Number.isFinite)).toBe(true);
  });

  it("train for a generation of PPO", async () => {
    const run = await trained(await LocalTrainer.fromManifest(PPO));
    for (const { learn_steps, hyperparameters, metrics } of run.recorder.generations[0]?.members ?? []) {
      expect(hyperparameters).toMatchObject({ gamma: 0.99, update_epochs: 4 });
      expect(learn_steps).toBeGreaterThan(0);
      expect(Object.keys(metrics).sort()).toEqual([
        "approx_kl",
        "clip_fraction",
        "entropy",
        "entropy_loss",
        "explained_variance",
        "grad_norm",
        "loss",
        "policy_loss",
        "value_loss",
      ]);
    }
    expect(run.fitnesses.every(Number.isFinite)).toBe(true);
  });
});
