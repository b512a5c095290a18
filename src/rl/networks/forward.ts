/** Forward passes of networks. Parameters are passed by tensor name, as in networkStates. */
import { concat, type Tensor } from "../../kernels/index.ts";
import { definitionOf, listModules, type ModuleData } from "../modules/moduleData.ts";
import type {
  ForwardContext,
  MemorySpec,
  Parameters,
  RecurrentDefinition,
} from "../modules/moduleDefinition.ts";
import type { NetworkData } from "./networkData.ts";
import { ENCODER, HEAD } from "./networkTensors.ts";

/** Maps observations [batch, inputs] to latent vectors [batch, latent_dim]; returns them unchanged without an
 * encoder.
 * @throws TypeError when the encoder is shared with another network. */
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

/** Maps latent vectors [batch, latent_dim], in a continuous Q network with actions appended, to outputs. */
export function forwardHead(
  data: NetworkData,
  params: Parameters,
  latent: Tensor,
  context?: ForwardContext,
): Tensor {
  return definitionOf(data.head).forward(data.head, HEAD, params, latent, context);
}

/** Maps observations to outputs: Q values, values, actions, or the parameters of action distributions. */
export const forwardNetwork = (
  data: NetworkData,
  params: Parameters,
  observation: Tensor,
  context?: ForwardContext,
): Tensor => forwardHead(data, params, forwardEncoder(data, params, observation, context), context);

/** Maps latent vectors [batch, latent_dim] and actions [batch, action] to Q values [batch, 1]. */
export const forwardAction = (
  data: NetworkData,
  params: Parameters,
  latent: Tensor,
  action: Tensor,
  context?: ForwardContext,
): Tensor => forwardHead(data, params, concat([latent, action]), context);

/**
 * Returns a function from actions [batch, action] to Q values [batch, 1] at fixed observations
 * [batch, inputs]. The action is appended to the latent vector, which is computed once. In a joint Q network
 * it is appended to the observation.
 */
export function actionValues(
  data: NetworkData,
  params: Parameters,
  observation: Tensor,
  context?: ForwardContext,
): (action: Tensor) => Tensor {
  if (data.kind === "joint_q")
    return (action) => forwardNetwork(data, params, concat([observation, action]), context);
  const latent = forwardEncoder(data, params, observation, context);
  return (action) => forwardAction(data, params, latent, action, context);
}

/** The encoder and its recurrent definition; null if the encoder is not recurrent. */
function recurrentEncoder({ encoder }: NetworkData): {
  readonly encoder: ModuleData;
  readonly definition: RecurrentDefinition<ModuleData>;
} | null {
  if (encoder === null || encoder === "shared") return null;
  const { recurrent } = definitionOf(encoder);
  return recurrent ? { encoder, definition: recurrent } : null;
}

function requireRecurrent(data: NetworkData) {
  const found = recurrentEncoder(data);
  if (found) return found;
  const names = listModules().flatMap(({ kind, recurrent }) => (recurrent ? [kind] : []));
  throw new TypeError(
    `network (${data.kind}): its encoder is not recurrent; use an encoder of kind ${names.join(" or ")}`,
  );
}

/** The tensors of the network's recurrent state; empty for networks that are not recurrent. */
export function networkMemory(data: NetworkData): readonly MemorySpec[] {
  const found = recurrentEncoder(data);
  return found ? found.definition.memory(found.encoder, ENCODER) : [];
}

/**
 * One step of a recurrent network's encoder: observation [n, inputs] and the recurrent state before the step
 * -> latent vector and the state after the step.
 * @throws TypeError when the network is not recurrent.
 * @internal
 */
export function stepEncoder(
  data: NetworkData,
  params: Parameters,
  observation: Tensor,
  memory: readonly Tensor[],
  context?: ForwardContext,
): { readonly output: Tensor; readonly memory: readonly Tensor[] } {
  const { encoder, definition } = requireRecurrent(data);
  return definition.step(encoder, ENCODER, params, observation, memory, context);
}

/**
 * A recurrent network's encoder over sequences: observations [T, n, inputs] and the recurrent state before
 * the first step -> latent vectors [T, n, latent_dim]. `keep` [T, n] multiplies the state before each step: 0
 * resets it (default: all 1).
 * @throws TypeError when the network is not recurrent.
 */
export function sequenceEncoder(
  data: NetworkData,
  params: Parameters,
  observations: Tensor,
  memory: readonly Tensor[],
  keep?: Tensor,
): Tensor {
  const { encoder, definition } = requireRecurrent(data);
  return definition.sequence(encoder, ENCODER, params, observations, memory, keep);
}
