/** Networks as tensor functions. Parameters are given by tensor name, as networkStates names them. */
import type { Tensor } from "../../kernels/tensor.ts";
import { definitionOf } from "../modules/moduleData.ts";
import type { Parameters } from "../modules/moduleDefinition.ts";
import type { NetworkData } from "./networkData.ts";
import { ENCODER, HEAD } from "./networkTensors.ts";

/** Observation [batch, inputs] to latent vector [batch, latent_dim]; unchanged where there is no encoder.
 * @throws TypeError when the encoder is another network's. */
export function forwardEncoder(data: NetworkData, params: Parameters, observation: Tensor): Tensor {
  const { encoder } = data;
  if (encoder === null) return observation;
  if (encoder === "shared") {
    throw new TypeError(
      "this network shares the policy's encoder; give forwardHead the policy's latent vector",
    );
  }
  return definitionOf(encoder).forward(encoder, ENCODER, params, observation);
}

/** Latent vector [batch, latent_dim] to outputs [batch, outputs]. */
export function forwardHead(data: NetworkData, params: Parameters, latent: Tensor): Tensor {
  return definitionOf(data.head).forward(data.head, HEAD, params, latent);
}

/** Observation to outputs: Q values, a value, or the parameters of the action distribution. */
export const forwardNetwork = (data: NetworkData, params: Parameters, observation: Tensor): Tensor =>
  forwardHead(data, params, forwardEncoder(data, params, observation));
