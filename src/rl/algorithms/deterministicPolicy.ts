/** What DDPG and TD3 share: their fields, and a deterministic policy that explores by noise. */

import { z } from "zod";
import { sigmoid, type Tensor, tanh } from "../../kernels/index.ts";
import { actorCriticRates, explorationNoiseShape, policyFreq, targetRate } from "../../specs/algorithms.ts";
import { field, SpecError } from "../../specs/checks.ts";
import type { NetworkContext } from "../contract/definition.ts";
import { flag, type Hyperparameters } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import type { Batch } from "../contract/offPolicy.ts";
import { continuousQNetwork, deterministicActor, type NetworkData } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { flatSize } from "../spaces.ts";
import {
  actorCriticLosses,
  applied,
  ended,
  explored,
  invertedLoss,
  outputRange,
  policyLoss,
} from "./continuousControl.ts";
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
  inverting_gradients: field(
    z.boolean().default(false),
    "Keeps actions that reach a bound from staying there: the policy's gradient shrinks towards a bound and not away from it. Needs the output activation Tanh or Sigmoid.",
    { advanced: true },
  ),
});

/** Output activations whose gradients can be inverted. */
const INVERTIBLE: Readonly<Record<string, (x: Tensor) => Tensor>> = { Tanh: tanh, Sigmoid: sigmoid };

const activationOf = ({ head }: NetworkData) =>
  INVERTIBLE[("output_activation" in head && head.output_activation) || ""];

/** A policy and one critic. */
export function actorAndCritic(context: NetworkContext<"Box">) {
  const { observation_space, action_space, network, hyperparameters } = context;
  const share_encoder = flag(hyperparameters, "share_encoders");
  const actor = deterministicActor(observation_space, action_space, network);
  if (flag(hyperparameters, "inverting_gradients") && activationOf(actor) === undefined) {
    const segments = ["algorithm", "inverting_gradients"];
    const message = `needs network.head_config.output_activation ${Object.keys(INVERTIBLE).join(" or ")}; found ${network.head_config.output_activation}`;
    throw new SpecError([{ code: "rule", path: segments.join("."), segments, message }], "manifest");
  }
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
  structural: ["share_encoders", "inverting_gradients", "O_U_noise", "normalize_images"],
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
    learn: (
      networks: Networks<N | "actor">,
      { obs }: Pick<Batch, "obs">,
      hyperparameters: Hyperparameters,
    ) => {
      const { actor, [critic]: followed } = networks;
      const activate = flag(hyperparameters, "inverting_gradients") ? activationOf(actor.data) : undefined;
      if (!activate) {
        const actor_loss = policyLoss(followed, actor, obs, actor.forward(obs));
        return { losses: { actor_optimizer: actor_loss }, metrics: { actor_loss } };
      }
      const before = actor.beforeOutput(obs);
      const action = activate(before);
      const actor_loss = policyLoss(followed, actor, obs, action);
      const inverted = invertedLoss({ loss: actor_loss, action }, before, outputRange(actor.data));
      return { losses: { actor_optimizer: inverted }, metrics: { actor_loss } };
    },
  }) as const;
