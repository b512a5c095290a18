/** Networks as tensor functions. Parameters are given by tensor name, as networkStates names them. */
import { concat, type Tensor } from "../../kernels/index.ts";
import { definitionOf } from "../modules/moduleData.ts";
import type { ForwardContext, Parameters } from "../modules/moduleDefinition.ts";
import type { NetworkData } from "./networkData.ts";
import { ENCODER, HEAD } from "./networkTensors.ts";

/** Observation [batch, inputs] to latent vector [batch, latent_dim]; unchanged where there is no encoder.
 * @throws TypeError when the encoder is another network's. */
export function forwardEncoder(
  data: NetworkData,
  params: Parameters,
  observation: Tensor,
  context?: ForwardContext,
): Tensor {
  const { encoder } = data;
  if (encoder === null) return observation;
  if (encoder === "shared") {
    throw new TypeError(
      "this network shares the policy's encoder; give forwardHead the policy's latent vector",
    );
  }
  return definitionOf(encoder).forward(encoder, ENCODER, params, observation, context);
}

/** Latent vector [batch, latent_dim], with the action behind it for a continuous Q network, to outputs [batch, outputs]. */
export function forwardHead(
  data: NetworkData,
  params: Parameters,
  latent: Tensor,
  context?: ForwardContext,
): Tensor {
  return definitionOf(data.head).forward(data.head, HEAD, params, latent, context);
}

/** Observation to outputs: Q values, a value, an action, or the parameters of the action distribution. */
export const forwardNetwork = (
  data: NetworkData,
  params: Parameters,
  observation: Tensor,
  context?: ForwardContext,
): Tensor => forwardHead(data, params, forwardEncoder(data, params, observation, context), context);

/** Latent vector [batch, latent_dim] and action [batch, action] to a Q value [batch, 1]. */
export const forwardAction = (
  data: NetworkData,
  params: Parameters,
  latent: Tensor,
  action: Tensor,
  context?: ForwardContext,
): Tensor => forwardHead(data, params, concat([latent, action]), context);
