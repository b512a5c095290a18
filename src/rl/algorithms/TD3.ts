/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018): targets use the smaller value of
 * two critics and noise on target actions. The policy and all targets are updated only in every
 * policy_freq-th learning step.
 */

import { z } from "zod";
import { add, minimum, mul, sub } from "../../kernels/index.ts";
import { ACTOR_CRITIC_HP, ACTOR_CRITIC_SEARCH, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { NetworkContext } from "../contract/definition.ts";
import type { Networks } from "../contract/network.ts";
import { type Batch, defineOffPolicy } from "../contract/offPolicy.ts";
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

/** Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018). */
export const TD3Spec = z.strictObject(
  deterministicShape(
    field(z.literal("TD3").default("TD3"), "Twin delayed deterministic policy gradient."),
    0.005,
  ),
);
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

type Twin = "critic_1" | "critic_2" | "critic_target_1" | "critic_target_2";
type TwinNetwork = "actor" | "actor_target" | Twin;

/** The parts that do not depend on how the policy learns. @internal */
export const twinDelayed = {
  ...deterministicPolicy,
  networks: (context: NetworkContext<"Box">) => {
    const { actor, critic } = actorAndCritic(context);
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
  optimizers: {
    actor_optimizer: { networks: ["actor"], ...ACTOR_STEP },
    critic_1_optimizer: { networks: ["critic_1"], ...CRITIC_STEP },
    critic_2_optimizer: { networks: ["critic_2"], ...CRITIC_STEP },
  },

  learn: (
    { actor, actor_target, critic_1, critic_2, critic_target_1, critic_target_2 }: Networks<TwinNetwork>,
    batch: Batch,
  ) => {
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
} as const;

export const TD3 = /* @__PURE__ */ defineOffPolicy({
  ...twinDelayed,
  spec: TD3_DEFINITION,
  delayed: delayedPolicy("critic_1"),
});
