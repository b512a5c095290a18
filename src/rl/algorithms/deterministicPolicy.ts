/** What DDPG and TD3 share: their fields, and a deterministic policy that explores by noise. */

import { z } from "zod";
import { actorCriticRates, explorationNoiseShape, policyFreq, targetRate } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { NetworkContext } from "../contract/definition.ts";
import { flag } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import type { Batch } from "../contract/offPolicy.ts";
import { continuousQNetwork, deterministicActor } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { flatSize } from "../spaces.ts";
import { actorCriticLosses, applied, ended, explored, outputRange, policyLoss } from "./continuousControl.ts";
import { VALUE_METRICS } from "./metrics.ts";

/** The fields. @param tau Default of the field `tau`. */
export const deterministicShape = <Name extends z.ZodType>(name: Name, tau: number) => ({
  name,
  ...SingleAgentAlgorithmSpec.shape,
  ...actorCriticRates(1e-4, 1e-3),
  tau: targetRate(tau),
  policy_freq: policyFreq,
  ...explorationNoiseShape,
  share_encoders: field(z.boolean().default(false), "The critic uses the policy's encoder."),
});

/** A policy and one critic. */
export function actorAndCritic(context: NetworkContext<"Box">) {
  const { observation_space, action_space, network, hyperparameters } = context;
  const share_encoder = flag(hyperparameters, "share_encoders");
  const actor = deterministicActor(observation_space, action_space, network);
  const critic = continuousQNetwork(observation_space, flatSize(action_space), network, { share_encoder });
  return { actor, critic };
}

/** Optimiser settings of policies and critics. */
export const ACTOR_STEP = { lr: "lr_actor", grad_norm: "actor_grad_norm" } as const;
export const CRITIC_STEP = { lr: "lr_critic", grad_norm: "critic_grad_norm" } as const;

/** The parts of the definition that do not depend on the critics. */
export const deterministicPolicy = {
  actions: ["Box"],
  policy: "actor",
  metrics: ["actor_loss", "critic_loss", ...VALUE_METRICS],
  activationMutation: false,
  structural: ["share_encoders", "O_U_noise", "normalize_images"],
  counts: ["learn_step", "policy_freq"],
  act: explored,
  greedy: ({ actor }: Networks<"actor">, obs: Batch["obs"]) => actor.forward(obs),
  applied,
  actionRange: outputRange,
  ended,
  result: actorCriticLosses,
} as const;

/** Updates of the policy in every policy_freq-th learning step. @param critic Picks the critic that it follows. */
export const delayedPolicy = <N extends string>(critic: N) =>
  ({
    every: "policy_freq",
    optimizers: ["actor_optimizer"],
    metrics: ["actor_loss"],
    learn: (networks: Networks<N | "actor">, { obs }: Pick<Batch, "obs">) => {
      const actor_loss = policyLoss(networks[critic] as Network, networks.actor, obs);
      return { losses: { actor_optimizer: actor_loss }, metrics: { actor_loss } };
    },
  }) as const;
