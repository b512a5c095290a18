/** Manifests of the multi-agent runs that rows measure. */
import type { Template } from "../../src/manifests/index.ts";

type Manifest = Template["manifest"];

export const TEAM_NETWORK = {
  latent_dim: 64,
  encoder_config: { hidden_size: [64] },
  head_config: { hidden_size: [64] },
};

/** A network without layer normalisation, with which centralised critics learn in a third of the steps. */
const CENTRAL_NETWORK = {
  latent_dim: 64,
  encoder_config: { hidden_size: [64], layer_norm: false },
  head_config: { hidden_size: [64], layer_norm: false },
};

export const MADDPG_STEP = { environment: "simple_speaker_listener_v4", batch: 256 } as const;

const ON_POLICY = { learn_step: 2048, batch_size: 128, lr: 1e-3, gamma: 0.95, update_epochs: 4 } as const;
const OFF_POLICY = {
  batch_size: 256,
  learn_step: 16,
  lr_actor: 1e-3,
  lr_critic: 1e-3,
  tau: 0.01,
  gamma: 0.95,
} as const;

type TeamAlgorithm = "MADDPG" | "MATD3" | "IPPO";
const algorithmFor = (name: TeamAlgorithm): Manifest["algorithm"] => {
  return name === "IPPO" ? { name, ...ON_POLICY } : { name, ...OFF_POLICY };
};

/** A single multi-agent member in a particle world with discrete actions, without evolution. */
export const teamManifest = (name: TeamAlgorithm, environment: string): Manifest => ({
  algorithm: algorithmFor(name),
  environment: { name: environment, num_envs: 16 },
  training: { max_steps: 1_000_000, pop_size: 1, evo_steps: 10_240, hpo: false },
  network: name === "IPPO" ? TEAM_NETWORK : CENTRAL_NETWORK,
  ...(name !== "IPPO" && { replay_buffer: { max_size: 400_000 } }),
});

/** IPPO on simple_spread without evolution, so that the work per step is constant. */
export function ippoSpread(pop_size: number): Manifest {
  const manifest = teamManifest("IPPO", "simple_spread_v3");
  return { ...manifest, training: { ...manifest.training, max_steps: 100_000_000, pop_size } };
}
