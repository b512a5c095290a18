import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { type Activation } from "../../specs/networks.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { MLP_MODULE_DEFAULTS, type MlpData } from "./mlp.ts";

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

const NAMES: OptionNames<EvolvableMLPOptions> = {
  num_inputs: true,
  num_outputs: true,
  hidden_size: true,
  activation: true,
  output_activation: true,
  min_hidden_layers: true,
  max_hidden_layers: true,
  min_mlp_nodes: true,
  max_mlp_nodes: true,
  layer_norm: true,
  output_layernorm: true,
  output_vanish: true,
  init_layers: true,
  noisy: true,
  noise_std: true,
  random_seed: true,
};

const EXAMPLE = "{ num_inputs: 4, num_outputs: 2, hidden_size: [64, 64] }";

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
    return this.mutate("add_node", given(hidden_layer, numb_new_nodes));
  }

  /**
   * Removes nodes from a hidden layer unless that would leave min_mlp_nodes or fewer. An omitted layer
   * (0-based) or number of nodes is drawn at random.
   */
  removeNode(hidden_layer?: number, numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_node", given(hidden_layer, numb_new_nodes));
  }
}

const given = (hidden_layer?: number, numb_new_nodes?: number) => ({
  ...(hidden_layer === undefined ? {} : { hidden_layer }),
  ...(numb_new_nodes === undefined ? {} : { numb_new_nodes }),
});

function fromOptions(options: EvolvableMLPOptions): MlpData {
  checkNames("EvolvableMLP", options, NAMES, { example: EXAMPLE });
  if (!Array.isArray(options.hidden_size))
    throw new RangeError(`EvolvableMLP.hidden_size: found ${options.hidden_size}, allowed a list of widths`);
  const defaults = MLP_MODULE_DEFAULTS;
  const data: MlpData = {
    kind: "mlp",
    inputs: options.num_inputs,
    hidden_size: [...options.hidden_size],
    outputs: options.num_outputs,
    activation: options.activation ?? defaults.activation,
    output_activation: options.output_activation ?? null,
    layer_norm: options.layer_norm ?? defaults.layer_norm,
    output_layernorm: options.output_layernorm ?? false,
    output_vanish: options.output_vanish ?? defaults.output_vanish,
    init_layers: options.init_layers ?? defaults.init_layers,
    noise_std: options.noisy ? (options.noise_std ?? 0.5) : null,
    min_hidden_layers: options.min_hidden_layers ?? defaults.min_hidden_layers,
    max_hidden_layers: options.max_hidden_layers ?? defaults.max_hidden_layers,
    min_mlp_nodes: options.min_mlp_nodes ?? defaults.min_mlp_nodes,
    max_mlp_nodes: options.max_mlp_nodes ?? defaults.max_mlp_nodes,
  };
  const refuse = (field: string, found: unknown, allowed: string): never => {
    throw new RangeError(`EvolvableMLP.${field}: found ${found}, allowed ${allowed}`);
  };
  const sizes = { num_inputs: data.inputs, num_outputs: data.outputs };
  for (const [field, size] of Object.entries(sizes))
    if (!Number.isInteger(size) || size < 1) refuse(field, size, "integers from 1");
  if (data.min_hidden_layers > data.max_hidden_layers) {
    refuse(
      "min_hidden_layers",
      data.min_hidden_layers,
      `at most max_hidden_layers (${data.max_hidden_layers})`,
    );
  }
  if (data.min_mlp_nodes > data.max_mlp_nodes) {
    refuse("min_mlp_nodes", data.min_mlp_nodes, `at most max_mlp_nodes (${data.max_mlp_nodes})`);
  }
  const layers = data.hidden_size.length;
  if (layers < Math.max(1, data.min_hidden_layers) || layers > data.max_hidden_layers) {
    const range = `${Math.max(1, data.min_hidden_layers)} to ${data.max_hidden_layers} layers`;
    refuse("hidden_size", `${layers} layers`, range);
  }
  data.hidden_size.forEach((width, i) => {
    if (!Number.isInteger(width) || width < 1) refuse(`hidden_size[${i}]`, width, "integers from 1");
  });
  return data;
}
