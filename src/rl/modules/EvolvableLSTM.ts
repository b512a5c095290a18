import { type Activation } from "../../specs/networks.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { LSTM_MODULE_DEFAULTS, LSTM_RULES, type LstmData } from "./lstm.ts";
import { readOptions } from "./moduleOptions.ts";

export interface EvolvableLSTMOptions {
  readonly num_inputs: number;
  readonly num_outputs: number;
  /** Width of each layer's hidden and cell state. */
  readonly hidden_state_size: number;
  /** Default: 1. */
  readonly num_layers?: number;
  /** Default: none. */
  readonly output_activation?: Activation | null;
  /** Default: 32. */
  readonly min_hidden_state_size?: number;
  /** Default: 512. */
  readonly max_hidden_state_size?: number;
  /** Default: 1. */
  readonly min_layers?: number;
  /** Default: 3. */
  readonly max_layers?: number;
  /** Seed of weights and mutations (default: 42). */
  readonly random_seed?: number;
}

/**
 * An evolvable recurrent network: LSTM layers followed by a dense layer.
 *
 * @example
 * ```ts
 * const actor_network = new EvolvableLSTM({ num_inputs: 2, num_outputs: 2, hidden_state_size: 64 });
 * ```
 */
export class EvolvableLSTM extends EvolvableModule<LstmData> {
  /** @throws RangeError when a size is not a positive integer or is out of bounds. */
  constructor(options: EvolvableLSTMOptions, weights?: Record<string, Float32Array>) {
    super(fromOptions(options), options.random_seed ?? 42, weights);
  }

  clone(): EvolvableLSTM {
    const { kind: _kind, inputs, outputs, ...rest } = this.data;
    const { random_seed } = this;
    return new EvolvableLSTM(
      { ...rest, num_inputs: inputs, num_outputs: outputs, random_seed },
      this.copyWeights(),
    );
  }

  /** Appends a layer; at the maximum number of layers, adds nodes instead. */
  addLayer(): ModuleChange {
    return this.mutate("add_layer");
  }

  /** Removes the last layer; at the minimum number of layers, adds nodes instead. */
  removeLayer(): ModuleChange {
    return this.mutate("remove_layer");
  }

  /** Adds nodes, by default a random number, to all layers unless they would exceed max_hidden_state_size. */
  addNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("add_node", { numb_new_nodes });
  }

  /**
   * Removes nodes from all layers unless they would fall below min_hidden_state_size. An omitted number of
   * nodes is drawn at random.
   */
  removeNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_node", { numb_new_nodes });
  }
}

const { dropout: _ofEncoders, ...settings } = LSTM_MODULE_DEFAULTS;

function fromOptions(options: EvolvableLSTMOptions): LstmData {
  const {
    num_inputs,
    num_outputs,
    random_seed: _seed,
    ...rest
  } = readOptions("EvolvableLSTM", options, {
    example: "{ num_inputs: 4, num_outputs: 2, hidden_state_size: 64 }",
    sizes: ["num_inputs", "num_outputs", "hidden_state_size", "num_layers"],
    defaults: { ...settings, output_activation: null, random_seed: 42 },
    rules: LSTM_RULES,
  });
  return { kind: "lstm", inputs: num_inputs, outputs: num_outputs, ...rest };
}
