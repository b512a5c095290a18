/** One small module of every kind, with bounds that mutations soon reach. */

import {
  EvolvableCNN,
  EvolvableLSTM,
  EvolvableMultiInput,
  EvolvableResNet,
  EvolvableSimBa,
} from "../../../../src/agents/index.ts";
import { CnnLstmSpec } from "../../../../src/manifests/index.ts";
import { cnnLstmData } from "../../../../src/rl/modules/cnnLstm.ts";
import { duelingData } from "../../../../src/rl/modules/dueling.ts";
import { EvolvableMLP, EvolvableModule, type ModuleData } from "../../../../src/rl/networks.ts";
import { Box, Dict, Discrete } from "../../../../src/rl/spaces.ts";
import { mlpSettings } from "./settings.ts";

export const mixedSpace = new Dict({
  "the image": new Box({ low: 0, high: 255, shape: [6, 5, 2] }),
  numbers: new Box({ low: -1, high: 1, shape: [3] }),
  choice: new Discrete(4),
});

const image = { input_shape: [2, 14, 15], num_outputs: 3 } as const;

/** A module from any data: some kinds exist only inside networks and have no public class. */
export class AnyModule extends EvolvableModule {
  constructor(data: ModuleData, random_seed: number, weights?: Record<string, Float32Array>) {
    super(data, random_seed, weights);
  }

  clone(): AnyModule {
    return new AnyModule(this.data, this.random_seed, this.copyWeights());
  }
}

/** Kinds with a public class. */
const OWN_MODULES = {
  mlp: (random_seed) =>
    new EvolvableMLP({
      num_inputs: 4,
      num_outputs: 3,
      hidden_size: [24, 20],
      min_mlp_nodes: 8,
      max_mlp_nodes: 90,
      noisy: true,
      random_seed,
    }),
  simba: (random_seed) =>
    new EvolvableSimBa({
      num_inputs: 4,
      num_outputs: 3,
      hidden_size: 20,
      num_blocks: 2,
      scale_factor: 2,
      min_mlp_nodes: 8,
      max_mlp_nodes: 60,
      random_seed,
    }),
  lstm: (random_seed) =>
    new EvolvableLSTM({
      num_inputs: 4,
      num_outputs: 3,
      hidden_state_size: 12,
      num_layers: 2,
      min_hidden_state_size: 8,
      max_hidden_state_size: 60,
      output_activation: "Tanh",
      random_seed,
    }),
  cnn: (random_seed) =>
    new EvolvableCNN({
      ...image,
      channel_size: [5, 6],
      kernel_size: [2, 2],
      stride_size: [1, 1],
      min_channel_size: 4,
      max_channel_size: 30,
      max_hidden_layers: 3,
      random_seed,
    }),
  resnet: (random_seed) =>
    new EvolvableResNet({
      ...image,
      channel_size: 9,
      kernel_size: 3,
      stride_size: 2,
      num_blocks: 1,
      scale_factor: 2,
      min_channel_size: 4,
      max_channel_size: 24,
      max_blocks: 3,
      random_seed,
    }),
  multiinput: (random_seed) =>
    new EvolvableMultiInput({
      observation_space: mixedSpace,
      num_outputs: 3,
      latent_dim: 10,
      min_latent_dim: 4,
      max_latent_dim: 40,
      cnn_config: {
        channel_size: [5],
        kernel_size: [2],
        stride_size: [2],
        min_channel_size: 4,
        max_channel_size: 30,
      },
      mlp_config: { hidden_size: [12], min_mlp_nodes: 8, max_mlp_nodes: 50 },
      vector_space_mlp: true,
      random_seed,
    }),
} satisfies Record<string, (random_seed: number) => EvolvableModule>;

const MODULES = {
  ...OWN_MODULES,
  cnn_lstm: (random_seed) => {
    const settings = CnnLstmSpec.parse({
      channel_size: [5, 6],
      kernel_size: [2, 2],
      stride_size: [1, 2],
      min_channel_size: 4,
      max_channel_size: 16,
      hidden_state_size: 12,
      num_layers: 1,
      min_hidden_state_size: 8,
      max_hidden_state_size: 30,
    });
    return new AnyModule(cnnLstmData([2, 8, 9], 3, settings), random_seed);
  },
  dueling: (random_seed) => {
    const settings = mlpSettings([24, 20], { min_mlp_nodes: 8, max_mlp_nodes: 90 });
    return new AnyModule(duelingData(4, settings, { actions: 3, num_atoms: 5, noise_std: 0.5 }), random_seed);
  },
} satisfies Record<ModuleData["kind"], (random_seed: number) => EvolvableModule>;

export type ModuleKind = keyof typeof MODULES;
export const KINDS = Object.keys(MODULES) as ModuleKind[];

export type OwnModuleKind = keyof typeof OWN_MODULES;
export const OWN_KINDS = Object.keys(OWN_MODULES) as OwnModuleKind[];

export const moduleOf = (kind: ModuleKind, random_seed = 1): EvolvableModule => MODULES[kind](random_seed);
