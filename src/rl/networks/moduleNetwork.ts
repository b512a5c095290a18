import type { EvolvableModule } from "../modules/EvolvableModule.ts";
import type { DistributionData, NetworkData } from "./networkData.ts";
import type { NetworkState } from "./networkState.ts";
import { HEAD } from "./networkTensors.ts";

export interface ModuleNetworkOptions {
  readonly kind: NetworkData["kind"];
  /** Width of the observation it reads. */
  readonly inputs: number;
  /** Width of the action that it reads behind the observation; 0 unless given. */
  readonly actions?: number;
  /** Width of its result: actions, or 1 for a value. */
  readonly outputs: number;
  /** Of a stochastic actor. */
  readonly distribution?: DistributionData | null;
  /** Outputs of one action, where they are the logits of its return. */
  readonly num_atoms?: number;
}

/**
 * A network that is a caller's own module from observation to outputs, with a copy of its weights.
 * @throws RangeError when the module's inputs or outputs do not fit.
 */
export function moduleNetwork(module: EvolvableModule, options: ModuleNetworkOptions): NetworkState {
  const { kind, inputs, actions = 0, outputs, distribution = null, num_atoms } = options;
  const { data: head } = module;
  for (const [what, found, allowed] of [
    ["inputs", head.inputs, inputs + actions],
    ["outputs", head.outputs, outputs],
  ] as const) {
    if (found !== allowed) throw new RangeError(`network module: found ${found} ${what}, allowed ${allowed}`);
  }
  const data: NetworkData = {
    kind,
    encoder: null,
    latent_dim: inputs,
    min_latent_dim: inputs,
    max_latent_dim: inputs,
    head,
    distribution,
    ...(num_atoms === undefined ? {} : { num_atoms }),
  };
  const tensors = Object.fromEntries(
    Object.entries(module.parameters()).map(([name, values]) => [`${HEAD}${name}`, values.slice()]),
  );
  if (distribution?.kind === "normal") {
    tensors.log_std = new Float32Array(distribution.size).fill(distribution.log_std_init);
  }
  return { data, tensors };
}
