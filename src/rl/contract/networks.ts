/** An agent's networks at one point of a program. */
import type { Tensor } from "../../kernels/index.ts";
import type { Network } from "./network.ts";

/** An agent's networks by name. The algorithm's definition sets the names. */
export type Networks<N extends string = string> = Readonly<Record<N, Network>>;

/** Returns a network's latent vectors [n, latent] for the current observations, recurrent or not. */
export type Latents<N extends string = string> = (network: N) => Tensor;

/** @throws TypeError when the agent lacks the network. */
export function networkNamed(networks: Networks, name: string): Network {
  const found = networks[name];
  if (!found)
    throw new TypeError(`needs a network "${name}", found ${Object.keys(networks).join(", ") || "none"}`);
  return found;
}
