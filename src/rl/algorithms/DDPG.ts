/**
 * Deep deterministic policy gradient (Lillicrap et al. 2016). As in TD3, the policy is updated only in every
 * policy_freq-th learning step, and target actions have noise.
 */

import { z } from "zod";
import { add, mul, sub } from "../../kernels/index.ts";
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

/** Deep deterministic policy gradient (Lillicrap et al. 2016). */
export const DDPGSpec = z.strictObject({
  name: field(z.literal("DDPG").default("DDPG"), "Deep deterministic policy gradient."),
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(1e-4, 1e-3),
  tau: targetRate(0.001),
  policy_freq: policyFreq,
  ...explorationNoiseShape,
  share_encoders: field(z.boolean().default(false), "The critic uses the policy's encoder."),
});
export type DDPGSpec = z.output<typeof DDPGSpec>;
export type DDPGSpecInput = z.input<typeof DDPGSpec>;

export const DDPG_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "DDPG",
  title: "Deep deterministic policy gradient",
  schema: DDPGSpec,
  off_policy: true,
  search: ACTOR_CRITIC_SEARCH,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
});

export const DDPG = /* @__PURE__ */ defineOffPolicy({
  spec: DDPG_DEFINITION,
  actions: ["Box"],
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    const actor = deterministicActor(observation_space, action_space, network);
    const critic = continuousQNetwork(observation_space, flatSize(action_space), network, { share_encoder });
    return { actor, actor_target: actor, critic, critic_target: critic };
  },
  targets: { actor_target: "actor", critic_target: "critic" },
  sharesEncoder: { critic: "actor" },
  policy: "actor",
  optimizers: {
    actor_optimizer: { networks: ["actor"], lr: "lr_actor", grad_norm: "actor_grad_norm" },
    critic_optimizer: { networks: ["critic"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
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

  learn: ({ actor, actor_target, critic, critic_target }, batch) => {
    const { obs, action, reward, next_obs, done, discount } = batch;
    const next = valueOf(critic_target, actor_target, next_obs, targetAction(actor_target, batch));
    const target = add(reward, mul(discount, mul(sub(1, done), next)));
    const value = valueOf(critic, actor, obs, action);
    const critic_loss = squaredError(value, target);
    return {
      losses: { critic_optimizer: critic_loss },
      metrics: { critic_loss, ...valueMetrics([value], target) },
    };
  },
  delayed: {
    every: "policy_freq",
    optimizers: ["actor_optimizer"],
    metrics: ["actor_loss"],
    learn: ({ actor, critic }, { obs }) => {
      const actor_loss = policyLoss(critic, actor, obs);
      return { losses: { actor_optimizer: actor_loss }, metrics: { actor_loss } };
    },
  },
  result: actorCriticLosses,
});
