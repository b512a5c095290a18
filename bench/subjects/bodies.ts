/** Manifests of the single members that rows measure in tasks of bodies. */
import type { Template } from "../../src/manifests/index.ts";

type Manifest = Template["manifest"];

const tanh = { hidden_size: [64], activation: "Tanh" as const, layer_norm: false };
const plain = { hidden_size: [64], layer_norm: false };

const PPO = {
  name: "PPO",
  batch_size: 256,
  lr: 5e-4,
  lr_schedule: "linear",
  lr_final: 0.1,
  learn_step: 2048,
  gamma: 0.99,
  gae_lambda: 0.95,
  ent_coef: 0,
  update_epochs: 8,
  share_encoders: false,
} as const;

/** What differs from {@link PPO}. With short horizons the cheetah learns faster. */
const OWN: Readonly<Record<string, Partial<Manifest["algorithm"]>>> = {
  "InvertedPendulum-v5": { lr: 1e-3 },
  "Reacher-v5": { lr: 3e-4 },
  "HalfCheetah-v5": { batch_size: 128, gamma: 0.98, gae_lambda: 0.92, lr_final: 0.3 },
};

/** PPO with normalised observations and rewards. @param evo_steps Steps between two evaluations. */
export const bodyPpo = (environment: string, evo_steps: number): Manifest => ({
  algorithm: { ...PPO, ...OWN[environment] } as Manifest["algorithm"],
  environment: { name: environment, num_envs: 8, normalize: { observations: true, rewards: true } },
  training: { max_steps: 1_000_000, pop_size: 1, evo_steps, hpo: false },
  network: { latent_dim: 64, encoder_config: tanh, head_config: tanh },
});

/** What differs in Hopper: longer steps than a pendulum's, a task of many more of them, and wider networks. */
const HOPPER_OFF_POLICY = {
  algorithm: { lr_actor: 3e-4, gamma: 0.99, tau: 0.005 },
  training: { max_steps: 300_000, evo_steps: 10_000, learning_delay: 5000 },
  network: {
    latent_dim: 128,
    encoder_config: { hidden_size: [128], layer_norm: false },
    head_config: { hidden_size: [128, 128], layer_norm: false },
  },
};

/** As {@link bodyOffPolicy}, in Hopper-v5, where TD3's policy may be driven to a bound of its actions early. */
export function hopperOffPolicy(name: "SAC" | "TD3"): Manifest {
  const { algorithm, training, ...rest } = bodyOffPolicy(name, "Hopper-v5");
  return {
    ...rest,
    algorithm: {
      ...algorithm,
      ...HOPPER_OFF_POLICY.algorithm,
      ...(name === "TD3" && { inverting_gradients: true }),
    } as Manifest["algorithm"],
    training: { ...training, ...HOPPER_OFF_POLICY.training },
    network: HOPPER_OFF_POLICY.network,
  };
}

/** An off-policy member without normalisation. */
export const bodyOffPolicy = (name: "SAC" | "TD3" | "DDPG", environment: string): Manifest => ({
  algorithm: {
    name,
    batch_size: 128,
    lr_actor: 1e-3,
    lr_critic: 1e-3,
    learn_step: 1,
    gamma: 0.99,
    tau: 0.005,
    ...(name !== "SAC" && { gamma: 0.98, tau: 0.01, O_U_noise: false, expl_noise: 0.1 }),
  },
  environment: { name: environment, num_envs: 1 },
  training: { max_steps: 30_000, pop_size: 1, evo_steps: 2000, learning_delay: 1000, hpo: false },
  network: { latent_dim: 64, encoder_config: plain, head_config: plain },
  replay_buffer: { max_size: 300_000 },
});
