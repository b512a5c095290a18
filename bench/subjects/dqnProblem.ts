/** The learning step that rows compare: a batch of transitions, and agents that learn from it. */

import { type AgentState, createAgent } from "../../src/agents/members.ts";
import { Random } from "../../src/evolution/random.ts";
import { agentNetwork, parseManifest } from "../../src/manifests/index.ts";
import { findEnvironment } from "../../src/rl/environments.ts";
import { initNetwork, mlpData, type NetworkData } from "../../src/rl/networks.ts";

export const SIZES = { inputs: 4, hidden: 64, actions: 2, batch: 64 } as const;
export const SETTINGS = { lr: 0.001, gamma: 0.99, tau: 0.01 } as const;

export const environment = findEnvironment("CartPole-v1");

/** A batch of transitions, with row-major fields. */
export interface Batch {
  readonly obs: Float32Array;
  readonly next_obs: Float32Array;
  readonly action: Int32Array;
  readonly reward: Float32Array;
  readonly done: Float32Array;
}

export function randomBatch(): Batch {
  const random = new Random({ seed: 1, stream: "bench" });
  const uniform = (n: number, scale: number) =>
    Float32Array.from({ length: n }, () => (random.uniform() * 2 - 1) * scale);
  const { batch, inputs, actions } = SIZES;
  return {
    obs: uniform(batch * inputs, 0.5),
    next_obs: uniform(batch * inputs, 0.5),
    action: Int32Array.from({ length: batch }, () => random.integer(actions)),
    reward: new Float32Array(batch).fill(1),
    done: Float32Array.from({ length: batch }, () => (random.uniform() < 0.1 ? 1 : 0)),
  };
}

/** Contents of a learning step's buffers for a batch. */
export const batchContents = (batch: Batch): Map<string, ArrayLike<number>> =>
  new Map<string, ArrayLike<number>>([
    ...Object.entries(batch).map(([field, values]): [string, ArrayLike<number>] => [
      `batch.${field}`,
      values,
    ]),
    ["batch.discount", new Float32Array(SIZES.batch).fill(SETTINGS.gamma)],
  ]);

const manifest = parseManifest({
  algorithm: { name: "DQN", batch_size: SIZES.batch, double: false, ...SETTINGS },
  environment: { name: environment.id, num_envs: 1 },
  training: { max_steps: 1000 },
  network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
});

const { observation_space, action_space } = environment;

/** Encoder [64], latent 64, head [64], with layer norm. */
export const layeredAgent = (): AgentState =>
  createAgent({
    spec: manifest.algorithm,
    observation_space,
    action_space,
    network: agentNetwork(manifest),
    seed: 1,
  });

/** A plain 4-64-64-2 perceptron. */
export function plainAgent(): AgentState {
  const head = mlpData(
    SIZES.inputs,
    SIZES.actions,
    {
      hidden_size: [SIZES.hidden, SIZES.hidden],
      activation: "ReLU",
      output_activation: null,
      layer_norm: false,
      init_layers: true,
      output_vanish: false,
      min_hidden_layers: 1,
      max_hidden_layers: 3,
      min_mlp_nodes: 16,
      max_mlp_nodes: 500,
    },
    "head",
  );
  const data: NetworkData = {
    kind: "q",
    encoder: null,
    latent_dim: SIZES.inputs,
    min_latent_dim: SIZES.inputs,
    max_latent_dim: SIZES.inputs,
    head,
    distribution: null,
  };
  const tensors = initNetwork(data, { seed: 1, stream: "bench.actor" });
  return createAgent({
    spec: manifest.algorithm,
    observation_space,
    action_space,
    network: agentNetwork(manifest),
    given: { actor: { data, tensors } },
  });
}

/** Performs learning steps on the same batch. */
export interface Learner {
  readonly step: () => void;
  /** Loss of the last step. */
  readonly loss: () => number;
}
