/**
 * Multi-agent deep deterministic policy gradient (Lowe et al. 2017): actors read their own observations,
 * critics read all observations and actions.
 */

import { z } from "zod";
import type { Tensor } from "../../kernels/index.ts";
import { ACTOR_CRITIC_HP, ACTOR_CRITIC_SEARCH, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import {
  ACTOR_STEP,
  CRITIC_STEP,
  centralCriticShape,
  criticLosses,
  policyLosses,
  teamNetworks,
  teamPolicy,
} from "./centralCritics.ts";

/** Multi-agent deep deterministic policy gradient (Lowe et al. 2017). */
export const MADDPGSpec = z.strictObject({
  name: field(z.literal("MADDPG").default("MADDPG"), "Multi-agent deep deterministic policy gradient."),
  ...centralCriticShape,
});
export type MADDPGSpec = z.output<typeof MADDPGSpec>;
export type MADDPGSpecInput = z.input<typeof MADDPGSpec>;

export const MADDPG_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "MADDPG",
  title: "Multi-agent deterministic policy gradient",
  schema: MADDPGSpec,
  off_policy: true,
  search: ACTOR_CRITIC_SEARCH,
  multi_agent: true,
  default_hp: ACTOR_CRITIC_HP,
  num_envs_field: "vect_noise_dim",
});

const CRITICS = { critics: { target: "critic_targets", optimizer: "critic_optimizers" } } as const;

export const MADDPG = /* @__PURE__ */ defineOffPolicy({
  ...teamPolicy,
  spec: MADDPG_DEFINITION,
  networks: (context) => teamNetworks(context, { critics: "critic_targets" }),
  targets: { actor_targets: "actors", critic_targets: "critics" },
  optimizers: {
    actor_optimizers: { networks: ["actors"], ...ACTOR_STEP },
    critic_optimizers: { networks: ["critics"], ...CRITIC_STEP },
  },
  counts: ["learn_step"],

  learn: (networks, batch, _hyperparameters, _parameters, spaces) => {
    const critic = criticLosses(networks, batch, spaces, {
      critics: CRITICS,
      smoothed: false,
      least: ([only]) => only as Tensor,
    });
    const actor = policyLosses(networks, batch, spaces, { critic: "critics", smoothed: false });
    return {
      losses: { ...critic.losses, ...actor.losses },
      metrics: { ...critic.metrics, ...actor.metrics },
    };
  },
});
