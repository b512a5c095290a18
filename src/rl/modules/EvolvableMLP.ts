import { type Activation } from "../../specs/networks.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { MLP_MODULE_DEFAULTS, type MlpData } from "./mlp.ts";
import { readOptions, requireList, requireWithin } from "./moduleOptions.ts";

export interface EvolvableMLPOptions {
  readonly num_inputs: number;
  readonly num_outputs: number;
  /** Widths of the hidden layers. */
  readonly hidden_size: readonly number[];
  /** Default: ReLU. */
  readonly activation?: Activation;
  /** Default: none. */
  readonly output_activation?: Activation | null;
  /** Default: 1. */
  readonly min_hidden_layers?: number;
  /** Default: 3. */
  readonly max_hidden_layers?: number;
  /** Default: 32. */
  readonly min_mlp_nodes?: number;
  /** Default: 500. */
  readonly max_mlp_nodes?: number;
  /** Default: true. */
  readonly layer_norm?: boolean;
  /** Default: false. */
  readonly output_layernorm?: boolean;
  /** Default: true. */
  readonly output_vanish?: boolean;
  /** Default: true. */
  readonly init_layers?: boolean;
  /** Weights with learned noise (Fortunato et al. 2018) (default: false). */
  readonly noisy?: boolean;
  /** Initial scale of the noise of `noisy` weights (default: 0.5). */
  readonly noise_std?: number;
  /** Seed of weights and mutations (default: 42). */
  readonly random_seed?: number;
}

/**
 * An evolvable multilayer perceptron.
 *
 * @example
 * ```ts
 * const actor_network = new EvolvableMLP({ num_inputs: 4, num_outputs: 2, hidden_size: [64, 64] });
 * const trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1", actor_network });
 * ```
 */
export class EvolvableMLP extends EvolvableModule<MlpData> {
  /**
   * @throws RangeError when a size is not a positive integer, a minimum exceeds its maximum, or the number of
   * layers is out of bounds.
   */
  constructor(options: EvolvableMLPOptions, weights?: Record<string, Float32Array>) {
    super(fromOptions(options), options.random_seed ?? 42, weights);
  }

  clone(): EvolvableMLP {
    const { kind: _kind, inputs, outputs, noise_std, ...rest } = this.data;
    const noise = noise_std === null ? {} : { noisy: true, noise_std };
    const { random_seed } = this;
    const options = { ...rest, ...noise, num_inputs: inputs, num_outputs: outputs, random_seed };
    return new EvolvableMLP(options, this.copyWeights());
  }

  /** Appends a hidden layer as wide as the last; at the maximum number of layers, adds nodes instead. */
  addLayer(): ModuleChange {
    return this.mutate("add_layer");
  }

  /** Removes the last hidden layer; at the minimum number of layers, adds nodes instead. */
  removeLayer(): ModuleChange {
    return this.mutate("remove_layer");
  }

  /**
   * Adds nodes to a hidden layer unless it would exceed max_mlp_nodes. An omitted layer (0-based) or number
   * of nodes is drawn at random.
   */
  addNode(hidden_layer?: number, numb_new_nodes?: number): ModuleChange {
    return this.mutate("add_node", { hidden_layer, numb_new_nodes });
  }

  /**
   * Removes nodes from a hidden layer unless that would leave min_mlp_nodes or fewer. An omitted layer
   * (0-based) or number of nodes is drawn at random.
   */
  removeNode(hidden_layer?: number, numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_node", { hidden_layer, numb_new_nodes });
  }
}

function fromOptions(options: EvolvableMLPOptions): MlpData {
  const name = "EvolvableMLP";
  const read = readOptions(name, options, {
    example: "{ num_inputs: 4, num_outputs: 2, hidden_size: [64, 64] }",
    sizes: ["num_inputs", "num_outputs", "hidden_size"],
    defaults: {
      ...MLP_MODULE_DEFAULTS,
      output_activation: null,
      output_layernorm: false,
      noisy: false,
      noise_std: 0.5,
      random_seed: 42,
    },
  });
  const { num_inputs, num_outputs, hidden_size, noisy, noise_std, random_seed: _seed, ...rest } = read;
  const { length } = requireList(name, "hidden_size", read);
  requireWithin(name, read, ["hidden_size.length", length], ["min_hidden_layers", "max_hidden_layers"]);
  // The first widths may lie outside of the bounds, within which mutations keep them.
  requireWithin(name, read, ["min_mlp_nodes", rest.min_mlp_nodes], ["min_mlp_nodes", "max_mlp_nodes"]);
  return {
    kind: "mlp",
    inputs: num_inputs,
    outputs: num_outputs,
    hidden_size: [...hidden_size],
    noise_std: noisy ? noise_std : null,
    ...rest,
  };
}
