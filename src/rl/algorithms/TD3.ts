/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018): targets use the smaller value of
 * two critics and noise on target actions. The policy and all targets are updated only in every
 * policy_freq-th learning step.
 */

import { z } from "zod";
import { add, minimum, mul, sub } from "../../kernels/index.ts";
import {
  ACTOR_CRITIC_HP,
  ACTOR_CRITIC_SEARCH,
  actorCriticRates,
  defineAlgorithm,
  explorationNoiseShape,
  policyFreq,
  targetRate,
} from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { flag } from "../contract/inputs.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { continuousQNetwork, deterministicActor } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { flatSize } from "../spaces.ts";
import {
  actorCriticLosses,
  applied,
  ended,
  explored,
  outputRange,
  policyLoss,
  squaredError,
  targetAction,
  valueOf,
} from "./continuousControl.ts";
import { VALUE_METRICS, valueMetrics } from "./metrics.ts";

/** Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018). */
export const TD3Spec = z.strictObject({
  name: field(z.literal("TD3").default("TD3"), "Twin delayed deterministic policy gradient."),
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(1e-4, 1e-3),
  tau: targetRate(0.005),
  policy_freq: policyFreq,
  ...explorationNoiseShape,
  share_encoders: field(z.boolean().default(false), "The critic uses the policy's encoder."),
});
export type TD3Spec = z.output<typeof TD3Spec>;
export type TD3SpecInput = z.input<typeof TD3Spec>;

export const TD3_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "TD3",
  title: "Twin delayed deterministic policy gradient",
  schema: TD3Spec,
  off_policy: true,
  search: ACTOR_CRITIC_SEARCH,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
});

export const TD3 = /* @__PURE__ */ defineOffPolicy({
  spec: TD3_DEFINITION,
  actions: ["Box"],
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    const actor = deterministicActor(observation_space, action_space, network);
    const critic = continuousQNetwork(observation_space, flatSize(action_space), network, { share_encoder });
    return {
      actor,
      actor_target: actor,
      critic_1: critic,
      critic_target_1: critic,
      critic_2: critic,
      critic_target_2: critic,
    };
  },
  targets: { actor_target: "actor", critic_target_1: "critic_1", critic_target_2: "critic_2" },
  sharesEncoder: { critic_1: "actor", critic_2: "actor" },
  policy: "actor",
  optimizers: {
    actor_optimizer: { networks: ["actor"], lr: "lr_actor", grad_norm: "actor_grad_norm" },
    critic_1_optimizer: { networks: ["critic_1"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
    critic_2_optimizer: { networks: ["critic_2"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
  },
  metrics: ["actor_loss", "critic_loss", ...VALUE_METRICS],
  activationMutation: false,
  structural: ["share_encoders", "O_U_noise", "normalize_images"],
  counts: ["learn_step", "policy_freq"],

  act: explored,
  greedy: ({ actor }, obs) => actor.forward(obs),
  applied,
  actionRange: outputRange,
  ended,

  learn: ({ actor, actor_target, critic_1, critic_2, critic_target_1, critic_target_2 }, batch) => {
    const { obs, action, reward, next_obs, done, discount } = batch;
    const next_action = targetAction(actor_target, batch);
    const next_1 = valueOf(critic_target_1, actor_target, next_obs, next_action);
    const next_2 = valueOf(critic_target_2, actor_target, next_obs, next_action);
    const target = add(reward, mul(discount, mul(sub(1, done), minimum(next_1, next_2))));
    const value_1 = valueOf(critic_1, actor, obs, action);
    const loss_1 = squaredError(value_1, target);
    const value_2 = valueOf(critic_2, actor, obs, action);
    const loss_2 = squaredError(value_2, target);
    return {
      losses: { critic_1_optimizer: loss_1, critic_2_optimizer: loss_2 },
      metrics: { critic_loss: add(loss_1, loss_2), ...valueMetrics([value_1, value_2], target) },
    };
  },
  delayed: {
    every: "policy_freq",
    optimizers: ["actor_optimizer"],
    metrics: ["actor_loss"],
    learn: ({ actor, critic_1 }, { obs }) => {
      const actor_loss = policyLoss(critic_1, actor, obs);
      return { losses: { actor_optimizer: actor_loss }, metrics: { actor_loss } };
    },
  },
  result: actorCriticLosses,
});
