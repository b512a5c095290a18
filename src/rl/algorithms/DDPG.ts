/**
 * Deep deterministic policy gradient (Lillicrap et al. 2016). As in TD3, the policy is updated only in every
 * policy_freq-th learning step, and target actions have noise.
 */

import { z } from "zod";
import { add, mul, sub } from "../../kernels/index.ts";
import { ACTOR_CRITIC_HP, ACTOR_CRITIC_SEARCH, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { squaredError, targetAction, valueOf } from "./continuousControl.ts";
import {
  ACTOR_STEP,
  actorAndCritic,
  CRITIC_STEP,
  delayedPolicy,
  deterministicPolicy,
  deterministicShape,
} from "./deterministicPolicy.ts";
import { valueMetrics } from "./metrics.ts";

/** Deep deterministic policy gradient (Lillicrap et al. 2016). */
export const DDPGSpec = z.strictObject(
  deterministicShape(field(z.literal("DDPG").default("DDPG"), "Deep deterministic policy gradient."), 0.001),
);
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
  ...deterministicPolicy,
  spec: DDPG_DEFINITION,
  networks: (context) => {
    const { actor, critic } = actorAndCritic(context);
    return { actor, actor_target: actor, critic, critic_target: critic };
  },
  targets: { actor_target: "actor", critic_target: "critic" },
  sharesEncoder: { critic: "actor" },
  optimizers: {
    actor_optimizer: { networks: ["actor"], ...ACTOR_STEP },
    critic_optimizer: { networks: ["critic"], ...CRITIC_STEP },
  },

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
  delayed: delayedPolicy("critic"),
});
