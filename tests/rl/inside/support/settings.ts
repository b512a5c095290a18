import type { MlpSettings } from "../../../../src/manifests/index.ts";
import type { NetworkSettings } from "../../../../src/rl/networks/buildNetworks.ts";
import { Box } from "../../../../src/rl/spaces.ts";

/** Draws initial weights. Tests of plans, which draw none, spy on it. */
export { initialise } from "../../../../src/rl/modules/initialise.ts";

/** A space of `size` unbounded numbers. */
export const numbers = (size: number): Box =>
  new Box({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, shape: [size] });

export const mlpSettings = (hidden_size: number[], change: Partial<MlpSettings> = {}): MlpSettings => ({
  hidden_size,
  activation: "ReLU",
  output_activation: null,
  layer_norm: true,
  init_layers: true,
  output_vanish: true,
  min_hidden_layers: 1,
  max_hidden_layers: 3,
  min_mlp_nodes: 16,
  max_mlp_nodes: 500,
  ...change,
});

export function networkSettings(
  change: Partial<NetworkSettings> = {},
  mlp: Partial<MlpSettings> = {},
): NetworkSettings {
  return {
    latent_dim: 24,
    min_latent_dim: 8,
    max_latent_dim: 128,
    encoder_config: { arch: "mlp", ...mlpSettings([20, 18], mlp) },
    head_config: mlpSettings([17], mlp),
    ...change,
  };
}
