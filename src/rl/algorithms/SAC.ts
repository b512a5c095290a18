/**
 * Soft actor-critic (Haarnoja et al. 2018, arXiv 1812.05905): the policy maximises values plus its weighted
 * entropy. The weight, called temperature (alpha), is learnt so that the entropy stays near a target (section
 * 5). Policy, critics and temperature are updated together from one batch.
 */

import { z } from "zod";
import {
  add,
  exp,
  meanAll,
  minimum,
  mul,
  neg,
  select,
  stackColumns,
  stopGradient,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import {
  ACTOR_CRITIC_HP,
  ACTOR_CRITIC_SEARCH,
  actorCriticRates,
  defineAlgorithm,
  learningRate,
  targetRate,
} from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { NetworkContext, ParameterValues } from "../contract/definition.ts";
import { flag, learningNormals, normals } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import { type Batch, defineOffPolicy, type Exploration, type LearnedBatch } from "../contract/offPolicy.ts";
import { continuousQNetwork, squashedGaussianActor } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { type Box, flatSize, type Space } from "../spaces.ts";
import { gaussianOf } from "./actionDistribution.ts";
import { toBounds } from "./boxActions.ts";
import { evenActions, squaredError, valueOf } from "./continuousControl.ts";
import { VALUE_METRICS, valueMetrics } from "./metrics.ts";

/** Soft actor-critic with a learnt temperature (Haarnoja et al. 2018, arXiv 1812.05905). */
export const SACSpec = z.strictObject({
  name: field(z.literal("SAC").default("SAC"), "Soft actor-critic with a learnt temperature."),
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(3e-4, 3e-4),
  lr_alpha: learningRate(3e-4, "Learning rate of the temperature's Adam."),
  tau: targetRate(0.005),
  share_encoders: field(z.boolean().default(false), "The critic uses the policy's encoder."),
});
export type SACSpec = z.output<typeof SACSpec>;
export type SACSpecInput = z.input<typeof SACSpec>;

export const SAC_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "SAC",
  title: "Soft actor-critic",
  schema: SACSpec,
  rlkit_only: true,
  off_policy: true,
  search: ACTOR_CRITIC_SEARCH,
  stochastic_actor: true,
  default_hp: ACTOR_CRITIC_HP,
});

/** Range of actions after tanh. */
const RANGE = [-1, 1] as const;

/** The parts that do not depend on how values are learnt. @internal */
export const softPolicy = {
  actions: ["Box"],
  networks: ({ observation_space, action_space, network, hyperparameters }: NetworkContext<"Box">) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    const actor = squashedGaussianActor(observation_space, action_space, network);
    const critic = continuousQNetwork(observation_space, flatSize(action_space), network, { share_encoder });
    return { actor, critic_1: critic, critic_target_1: critic, critic_2: critic, critic_target_2: critic };
  },
  // Its logarithm is learnt, so the temperature is always positive.
  parameters: () => ({ log_alpha: { shape: [], init: 0 } }),
  targets: { critic_target_1: "critic_1", critic_target_2: "critic_2" },
  sharesEncoder: { critic_1: "actor", critic_2: "actor" },
  policy: "actor",
  optimizers: {
    actor_optimizer: { networks: ["actor"], lr: "lr_actor", grad_norm: "actor_grad_norm" },
    critic_1_optimizer: { networks: ["critic_1"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
    critic_2_optimizer: { networks: ["critic_2"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
    alpha_optimizer: { networks: [], parameters: ["log_alpha"], lr: "lr_alpha" },
  },
  metrics: ["actor_loss", "critic_loss", "alpha_loss", "alpha", ...VALUE_METRICS],
  activationMutation: false,
  counts: ["learn_step"],
  policyOutputs: ({ actor }: Networks<"actor">, latent: Tensor): Record<string, Tensor> => {
    const { mean, log_std } = gaussianOf(actor, latent);
    return { mean, log_std };
  },

  act: ({ actor }: Networks<"actor">, obs: Tensor, { draws, waiting }: Exploration) => {
    const policy = gaussianOf(actor, actor.encode(obs));
    const normal = policy.size + (policy.size % 2);
    const drawn = draws(normal + policy.size);
    const sampled = policy.sample(stackColumns(normals(() => drawn.slice(0, normal), policy.size)));
    return select(waiting, evenActions(drawn.slice(normal), RANGE), sampled);
  },
  greedy: ({ actor }: Networks<"actor">, obs: Tensor): Tensor => gaussianOf(actor, actor.encode(obs)).mode(),
  applied: ({ actor }: Networks<"actor">, action: Tensor, space: Space): Tensor =>
    toBounds(action, RANGE, space as Box, actor.data),
  actionRange: () => RANGE,
  result: ({ metrics }: LearnedBatch) => ({
    actor_loss: metrics.actor_loss as number,
    critic_loss: metrics.critic_loss as number,
    alpha_loss: metrics.alpha_loss as number,
    alpha: metrics.alpha as number,
  }),
} as const;

type SoftNetwork = "actor" | "critic_1" | "critic_2" | "critic_target_1" | "critic_target_2";

/** Losses of the policy, the critics and the temperature, from one batch. @internal */
export function softLearning(
  networks: Networks<SoftNetwork>,
  batch: Batch,
  { log_alpha }: ParameterValues<"log_alpha">,
) {
  const { actor, critic_1, critic_2, critic_target_1, critic_target_2 } = networks;
  const { obs, action, reward, next_obs, done, discount, row } = batch;
  const policyAt = (x: Tensor) => gaussianOf(actor, actor.encode(x));
  const [before, after] = [policyAt(obs), policyAt(next_obs)];
  const { size } = before;
  const noise = learningNormals(row, 2 * size);
  const alpha = exp(log_alpha);

  // Equations 3 and 5: the soft value of the next state, from the target critics.
  const next = after.draw(stackColumns(noise.slice(size)));
  const least = minimum(
    valueOf(critic_target_1, actor, next_obs, next.action),
    valueOf(critic_target_2, actor, next_obs, next.action),
  );
  const soft = sub(least, mul(alpha, next.log_prob));
  const target = add(reward, mul(discount, mul(sub(1, done), soft)));
  const value_1 = valueOf(critic_1, actor, obs, action);
  const loss_1 = squaredError(value_1, target);
  const value_2 = valueOf(critic_2, actor, obs, action);
  const loss_2 = squaredError(value_2, target);

  // Equation 9, with the smaller of two values (section 6).
  const own = before.draw(stackColumns(noise.slice(0, size)));
  const value = minimum(valueOf(critic_1, actor, obs, own.action), valueOf(critic_2, actor, obs, own.action));
  const actor_loss = meanAll(sub(mul(stopGradient(alpha), own.log_prob), value));

  // Equation 18, with minus the size of the action as target entropy.
  const surplus = stopGradient(sub(own.log_prob, size));
  const alpha_loss = neg(meanAll(mul(alpha, surplus)));
  return {
    losses: {
      actor_optimizer: actor_loss,
      critic_1_optimizer: loss_1,
      critic_2_optimizer: loss_2,
      alpha_optimizer: alpha_loss,
    },
    metrics: {
      actor_loss,
      critic_loss: add(loss_1, loss_2),
      alpha_loss,
      alpha,
      ...valueMetrics([value_1, value_2], target),
    },
  };
}

export const SAC = /* @__PURE__ */ defineOffPolicy({
  ...softPolicy,
  spec: SAC_DEFINITION,
  structural: ["share_encoders", "normalize_images"],
  learn: (networks, batch, _hyperparameters, parameters) => softLearning(networks, batch, parameters),
});
