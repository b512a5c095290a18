/** Networks as tensor functions. Parameters are given by tensor name, as networkStates names them. */
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

/**
 * Q values [batch, 1] of actions [batch, action] at one observation [batch, inputs]. The action goes behind the latent
 * vector, which is computed once; or behind the observation, where the network reads both together.
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

/** The encoder with what it computes with memory; null where it has none. */
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
  throw new TypeError(`network (${data.kind}): its encoder has no memory; an ${names.join(" or ")} has`);
}

/** What the network remembers from step to step; nothing for networks without memory. */
export function networkMemory(data: NetworkData): readonly MemorySpec[] {
  const found = recurrentEncoder(data);
  return found ? found.definition.memory(found.encoder, ENCODER) : [];
}

/**
 * One step of a recurrent network's encoder: observation [n, inputs] and the memory before it -> latent vector and
 * the memory after it.
 * @throws TypeError for a network without memory.
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
 * A recurrent network's encoder over sequences: observations [T, n, inputs] and the memory before the first ->
 * latent vectors [T, n, latent_dim]. `keep` [T, n]: what the memory before a step is multiplied by, 0 where it starts
 * anew; all 1 unless given.
 * @throws TypeError for a network without memory.
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
