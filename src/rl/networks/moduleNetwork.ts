import type { EvolvableModule } from "../modules/EvolvableModule.ts";
import type { DistributionData, NetworkData, NetworkState } from "./networkData.ts";
import { HEAD } from "./networkTensors.ts";

export interface ModuleNetworkOptions {
  readonly kind: NetworkData["kind"];
  /** Width of the observation that the module reads. */
  readonly inputs: number;
  /** Width of the action that it reads after the observation (default: 0). */
  readonly actions?: number;
  /** Width of its output, e.g. the number of actions, or 1 for a value. */
  readonly outputs: number;
  /** Action distribution of a stochastic actor (default: null). */
  readonly distribution?: DistributionData | null;
  /** How an actor's actions in a Box are scaled. */
  readonly box_actions?: NetworkData["box_actions"];
  /** Outputs per action, if they are the logits of its return. */
  readonly num_atoms?: number;
}

/**
 * Makes a network of a user-defined module that maps observations to outputs, with a copy of its weights.
 * @throws RangeError when the module's number of inputs or outputs does not fit.
 */
export function moduleNetwork(module: EvolvableModule, options: ModuleNetworkOptions): NetworkState {
  const { kind, inputs, actions = 0, outputs, distribution = null, box_actions, num_atoms } = options;
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
    ...(box_actions === undefined ? {} : { box_actions }),
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
