/** Code shared by DDPG and TD3: action scales, Ornstein-Uhlenbeck noise, smoothed target actions. */

import {
  add,
  clip,
  type Dim,
  div,
  grad,
  greater,
  meanAll,
  mul,
  neg,
  reshape,
  select,
  sqrt,
  square,
  stackColumns,
  state,
  stopGradient,
  sub,
  sumAll,
  type Tensor,
} from "../../kernels/index.ts";
import type { explorationNoiseShape } from "../../specs/algorithms.ts";
import { flag, type Hyperparameters, hyperparameter, learningNormals, normals } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import type { Batch, Exploration, LearnedBatch } from "../contract/offPolicy.ts";
import type { NetworkData } from "../networks/index.ts";
import { type Box, flatSize, type Space } from "../spaces.ts";
import { toBounds } from "./boxActions.ts";

/** Reads a hyperparameter of exploration in a program. */
const read = hyperparameter<keyof typeof explorationNoiseShape>;

/** Standard deviation of the noise on target actions, and its clipping limit (Fujimoto et al. 2018). */
export const POLICY_NOISE = 0.2;
export const NOISE_CLIP = 0.5;

/** Range of the actor's output activation. */
export function outputRange({ head }: NetworkData): readonly [number, number] {
  const activation = "output_activation" in head ? head.output_activation : null;
  return activation === "Tanh" ? [-1, 1] : [0, 1];
}

const rows = (x: Tensor): Dim => x.shape[0] as Dim;

/** Converts an action from the actor's range for the environment. */
export const applied = ({ actor: { data } }: Networks<"actor">, action: Tensor, space: Space): Tensor =>
  toBounds(action, outputRange(data), space as Box, data);

const drift = (lanes: Dim, size: number) => state("noise.drift", [lanes, size]);

/** Actions [n, k] that are uniform between two values, from k uniform vectors [n]. */
export const evenActions = (
  uniforms: readonly Tensor[],
  [least, most]: readonly [least: number, most: number],
): Tensor => add(mul(stackColumns(uniforms), most - least), least);

/**
 * The policy's action with noise, within the actor's range. While learning waits for its first transitions,
 * actions are uniform over that range, because an untrained policy tries only one corner of it.
 */
export function explored(
  { actor }: Networks<"actor">,
  obs: Tensor,
  { draws, waiting, begins }: Exploration,
  hyperparameters: Hyperparameters,
): Tensor {
  const action = actor.forward(obs);
  const size = action.shape[1] as number;
  const normal = size + (size % 2);
  const drawn = draws(normal + size);
  const noise = noiseOf(stackColumns(normals(() => drawn.slice(0, normal), size)), begins, hyperparameters);
  const [least, most] = outputRange(actor.data);
  const even = evenActions(drawn.slice(normal), [least, most]);
  return select(waiting, even, clip(add(action, noise), least, most));
}

/**
 * Noise of a step from standard normal numbers, [lanes, size]: correlated with the step before (Ornstein and
 * Uhlenbeck
 * 1930, as in Lillicrap et al. 2016), or independent. Where lanes begin (bool scalar), it begins with its mean.
 */
export function noiseOf(normal: Tensor, begins: Tensor, hyperparameters: Hyperparameters): Tensor {
  const [lanes, size] = normal.shape as [Dim, number];
  const mean = read("mean_noise");
  const deviation = read("expl_noise");
  if (!flag(hyperparameters, "O_U_noise")) return add(mul(normal, deviation), mean);
  const dt = read("dt");
  const noise = drift(lanes, size);
  const before = select(begins, mean, noise.read());
  const pull = mul(mul(read("theta"), sub(mean, before)), dt);
  const after = add(add(before, pull), mul(normal, mul(deviation, sqrt(dt))));
  noise.write(after);
  return after;
}

/** Resets Ornstein-Uhlenbeck noise to its mean in lanes whose episode ended. */
export const ended = (done: Tensor, action_space: Space, hyperparameters: Hyperparameters): void =>
  endDrift(done, flatSize(action_space), hyperparameters);

/** The same, for `size` numbers per lane. */
export function endDrift(done: Tensor, size: number, hyperparameters: Hyperparameters): void {
  if (!flag(hyperparameters, "O_U_noise")) return;
  const noise = drift(rows(done), size);
  noise.write(select(reshape(done, [rows(done), 1]), read("mean_noise"), noise.read()));
}

/** The target policy's action with clipped noise, within the actor's range (Fujimoto et al. 2018, section 5.3). */
export function targetAction(
  actor_target: Network,
  { next_obs, row }: Pick<Batch, "next_obs" | "row">,
): Tensor {
  const action = actor_target.forward(next_obs);
  const size = action.shape[1] as number;
  const noise = mul(stackColumns(learningNormals(row, size)), POLICY_NOISE);
  const [least, most] = outputRange(actor_target.data);
  return clip(add(action, clip(noise, -NOISE_CLIP, NOISE_CLIP)), least, most);
}

/**
 * Q values of observations and actions, [batch]. A critic with a shared encoder reads the policy's latent
 * vector without gradient. So only the policy's loss trains the encoder, and only through the action: the
 * policy must not lower its loss by changing the critic's input.
 */
export function valueOf(critic: Network, actor: Network, obs: Tensor, action: Tensor): Tensor {
  const latent = critic.data.encoder === "shared" ? stopGradient(actor.encode(obs)) : critic.encode(obs);
  return reshape(critic.valueOf(latent, action), [rows(obs)]);
}

export const squaredError = (found: Tensor, target: Tensor): Tensor =>
  meanAll(square(sub(found, stopGradient(target))));

/** Loss of the policy: minus the mean value of its own actions. */
export const policyLoss = (critic: Network, actor: Network, obs: Tensor, action: Tensor): Tensor =>
  neg(meanAll(valueOf(critic, actor, obs, action)));

/**
 * A loss whose gradient is {@link policyLoss}'s, inverted (Hausknecht and Stone 2016, arXiv 1511.04143, eq. 11). The gradient
 * by an action is multiplied by the part of the range that lies ahead of the action. That factor replaces the derivative of
 * the output activation, which is 0 at both bounds. So an action at a bound can leave it, and none is pushed beyond.
 *
 * @param value The policy's loss, and the actions [batch, size] that it is computed from.
 * @param before What the output activation mapped to the actions.
 */
export function invertedLoss(
  { loss, action }: { readonly loss: Tensor; readonly action: Tensor },
  before: Tensor,
  [least, most]: readonly [least: number, most: number],
): Tensor {
  const slope = grad(loss, [action])[0] as Tensor;
  const ahead = select(greater(slope, 0), sub(action, least), sub(most, action));
  return sumAll(mul(before, stopGradient(mul(slope, div(ahead, most - least)))));
}

/**
 * Losses of one learning step; the policy's loss is null in steps that do not update it (see `policy_freq`).
 */
export interface ActorCriticLosses {
  readonly actor_loss: number | null;
  readonly critic_loss: number;
}

export function actorCriticLosses({ metrics }: LearnedBatch): ActorCriticLosses {
  const { actor_loss = null, critic_loss } = metrics;
  return { actor_loss, critic_loss: critic_loss as number };
}
