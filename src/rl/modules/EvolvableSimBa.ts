import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { type Activation } from "../../specs/networks.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { requireSizes, requireWithin } from "./optionChecks.ts";
import { SIMBA_MODULE_DEFAULTS, type SimbaData } from "./simba.ts";

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

const NAMES: OptionNames<EvolvableSimBaOptions> = {
  num_inputs: true,
  num_outputs: true,
  hidden_size: true,
  num_blocks: true,
  output_activation: true,
  scale_factor: true,
  min_blocks: true,
  max_blocks: true,
  min_mlp_nodes: true,
  max_mlp_nodes: true,
  random_seed: true,
};

const EXAMPLE = "{ num_inputs: 4, num_outputs: 2, hidden_size: 64, num_blocks: 2 }";

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
    return this.mutate("add_node", numb_new_nodes === undefined ? {} : { numb_new_nodes });
  }

  /** Narrows the residual stream, by default by a random number, unless it would reach min_mlp_nodes. */
  removeNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_node", numb_new_nodes === undefined ? {} : { numb_new_nodes });
  }
}

function fromOptions(options: EvolvableSimBaOptions): SimbaData {
  checkNames("EvolvableSimBa", options, NAMES, { example: EXAMPLE });
  const defaults = SIMBA_MODULE_DEFAULTS;
  const { num_inputs, num_outputs, hidden_size, num_blocks } = options;
  const {
    scale_factor = defaults.scale_factor,
    min_blocks = defaults.min_blocks,
    max_blocks = defaults.max_blocks,
  } = options;
  const {
    min_mlp_nodes = defaults.min_mlp_nodes,
    max_mlp_nodes = defaults.max_mlp_nodes,
    output_activation = null,
  } = options;
  const name = "EvolvableSimBa";
  requireSizes(name, { num_inputs, num_outputs, hidden_size, num_blocks, scale_factor });
  const blocks = ["num_blocks", num_blocks] as const;
  requireWithin(name, blocks, ["min_blocks", min_blocks], ["max_blocks", max_blocks]);
  const nodes = ["hidden_size", hidden_size] as const;
  requireWithin(name, nodes, ["min_mlp_nodes", min_mlp_nodes], ["max_mlp_nodes", max_mlp_nodes]);
  return {
    kind: "simba",
    inputs: num_inputs,
    outputs: num_outputs,
    hidden_size,
    num_blocks,
    scale_factor,
    output_activation,
    min_blocks,
    max_blocks,
    min_mlp_nodes,
    max_mlp_nodes,
  };
}
