import type { Activation } from "../../specs/networks/Activation.ts";
import type { SimbaSettings } from "../../specs/networks/SimbaSpec.ts";

/** A SimBa network (Lee et al. 2024) as plain data. */
export interface SimbaData {
  readonly kind: "simba";
  readonly inputs: number;
  readonly outputs: number;
  /** Width of the residual stream. */
  readonly hidden_size: number;
  /** Residual blocks, at least one. */
  readonly num_blocks: number;
  /** Width inside a block as a multiple of hidden_size. */
  readonly scale_factor: number;
  readonly output_activation: Activation | null;
  readonly min_blocks: number;
  readonly max_blocks: number;
  readonly min_mlp_nodes: number;
  readonly max_mlp_nodes: number;
}

/** An encoder from its settings. */
export const simbaData = (inputs: number, outputs: number, settings: SimbaSettings): SimbaData => ({
  kind: "simba",
  inputs,
  outputs,
  hidden_size: settings.hidden_size,
  num_blocks: settings.num_blocks,
  scale_factor: settings.scale_factor,
  output_activation: settings.output_activation ?? "ReLU",
  min_blocks: settings.min_blocks,
  max_blocks: settings.max_blocks,
  min_mlp_nodes: settings.min_mlp_nodes,
  max_mlp_nodes: settings.max_mlp_nodes,
});
