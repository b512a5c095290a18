import { type Activation } from "../../specs/networks.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { readOptions } from "./moduleOptions.ts";
import { SIMBA_MODULE_DEFAULTS, SIMBA_RULES, type SimbaData } from "./simba.ts";

export interface EvolvableSimBaOptions {
  readonly num_inputs: number;
  readonly num_outputs: number;
  /** Width of the residual stream. */
  readonly hidden_size: number;
  readonly num_blocks: number;
  /** Default: none. */
  readonly output_activation?: Activation | null;
  /** Width inside a block as a multiple of hidden_size (default: 4). */
  readonly scale_factor?: number;
  /** Default: 1. */
  readonly min_blocks?: number;
  /** Default: 4. */
  readonly max_blocks?: number;
  /** Default: 16. */
  readonly min_mlp_nodes?: number;
  /** Default: 500. */
  readonly max_mlp_nodes?: number;
  /** Seed of weights and mutations (default: 42). */
  readonly random_seed?: number;
}

/**
 * An evolvable SimBa network (Lee et al. 2024): residual blocks with layer normalisation over a vector.
 *
 * @example
 * ```ts
 * const actor_network = new EvolvableSimBa({ num_inputs: 4, num_outputs: 2, hidden_size: 64, num_blocks: 2 });
 * ```
 */
export class EvolvableSimBa extends EvolvableModule<SimbaData> {
  /** @throws RangeError when a size is not a positive integer or is out of bounds. */
  constructor(options: EvolvableSimBaOptions, weights?: Record<string, Float32Array>) {
    super(fromOptions(options), options.random_seed ?? 42, weights);
  }

  clone(): EvolvableSimBa {
    const { kind: _kind, inputs, outputs, ...rest } = this.data;
    const { random_seed } = this;
    return new EvolvableSimBa(
      { ...rest, num_inputs: inputs, num_outputs: outputs, random_seed },
      this.copyWeights(),
    );
  }

  /** Adds a block that initially changes nothing; at the maximum number of blocks, adds nodes instead. */
  addBlock(): ModuleChange {
    return this.mutate("add_block");
  }

  /** Removes the last block; at the minimum number of blocks, adds nodes instead. */
  removeBlock(): ModuleChange {
    return this.mutate("remove_block");
  }

  /** Widens the residual stream, by default by a random number, unless it would exceed max_mlp_nodes. */
  addNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("add_node", { numb_new_nodes });
  }

  /** Narrows the residual stream, by default by a random number, unless it would reach min_mlp_nodes. */
  removeNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_node", { numb_new_nodes });
  }
}

function fromOptions(options: EvolvableSimBaOptions): SimbaData {
  const {
    num_inputs,
    num_outputs,
    random_seed: _seed,
    ...rest
  } = readOptions("EvolvableSimBa", options, {
    example: "{ num_inputs: 4, num_outputs: 2, hidden_size: 64, num_blocks: 2 }",
    sizes: ["num_inputs", "num_outputs", "hidden_size", "num_blocks", "scale_factor"],
    defaults: { ...SIMBA_MODULE_DEFAULTS, output_activation: null, random_seed: 42 },
    rules: SIMBA_RULES,
  });
  return { kind: "simba", inputs: num_inputs, outputs: num_outputs, ...rest };
}
