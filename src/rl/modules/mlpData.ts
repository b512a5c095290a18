import type { Activation } from "../../specs/networks/Activation.ts";
import type { MlpSettings } from "../../specs/networks/MlpSpec.ts";

/** A multilayer perceptron as plain data. */
export interface MlpData {
  readonly kind: "mlp";
  readonly inputs: number;
  /** Widths of the hidden layers, at least one. */
  readonly hidden_size: readonly number[];
  readonly outputs: number;
  readonly activation: Activation;
  readonly output_activation: Activation | null;
  /** Layer normalisation (affine) before each hidden activation. */
  readonly layer_norm: boolean;
  /** Layer normalisation (not affine) before the output activation. */
  readonly output_layernorm: boolean;
  /** Initial output weights times 0.1. */
  readonly output_vanish: boolean;
  /** Orthogonal initial weights; else PyTorch's uniform ones. */
  readonly init_layers: boolean;
  /** Initial scale of the noise on weights (Fortunato et al. 2018); null for weights without noise. */
  readonly noise_std: number | null;
  readonly min_hidden_layers: number;
  readonly max_hidden_layers: number;
  readonly min_mlp_nodes: number;
  readonly max_mlp_nodes: number;
}

/** An MLP from its settings. As an encoder its output has the hidden layers' normalisation and full initial weights. */
export function mlpData(
  inputs: number,
  outputs: number,
  settings: MlpSettings,
  use: "encoder" | "head",
): MlpData {
  const encoder = use === "encoder";
  return {
    kind: "mlp",
    inputs,
    hidden_size: [...settings.hidden_size],
    outputs,
    activation: settings.activation,
    output_activation: settings.output_activation ?? (encoder ? settings.activation : null),
    layer_norm: settings.layer_norm,
    output_layernorm: encoder && settings.layer_norm,
    output_vanish: !encoder && settings.output_vanish,
    init_layers: settings.init_layers,
    noise_std: null,
    min_hidden_layers: settings.min_hidden_layers,
    max_hidden_layers: settings.max_hidden_layers,
    min_mlp_nodes: settings.min_mlp_nodes,
    max_mlp_nodes: settings.max_mlp_nodes,
  };
}
