import { z } from "zod";
import { atLeast, count, field, hpoRangeOf, integer, real } from "../field.ts";

/** Fields of the exploration noise of algorithms with deterministic policies. */
export const explorationNoiseShape = {
  vect_noise_dim: field(
    integer(1).default(1),
    "Environments that each agent steps in parallel, each with its own noise; set by the manifest's environment section.",
    { unit: "environments", mutable: false, advanced: true },
  ),
  O_U_noise: field(
    z.boolean().default(true),
    "Explores with Ornstein-Uhlenbeck noise instead of independent noise.",
    { mutable: true },
  ),
  expl_noise: field(
    atLeast(0).default(0.1),
    "Standard deviation of the noise, on the network's scale of actions (-1 to 1). MountainCarContinuous-v0 needs 0.5, with noise that drifts.",
    { step: 0.05 },
  ),
  mean_noise: field(real().default(0), "Mean of the noise.", { advanced: true }),
  theta: field(atLeast(0).default(0.15), "Rate at which Ornstein-Uhlenbeck noise returns to its mean.", {
    advanced: true,
    hpo: hpoRangeOf(0.05, 0.25),
  }),
  dt: field(atLeast(0).default(0.01), "Time step of Ornstein-Uhlenbeck noise.", {
    advanced: true,
    hpo: hpoRangeOf(0.005, 0.015),
  }),
};

/** A learning rate of Adam. */
export const learningRate = (value: number, description: string) =>
  field(atLeast(0).default(value), description, { step: "log", hpo: hpoRangeOf(6.25e-5, 0.01) });

/** The two learning rates of actor and critic. */
export const actorCriticRates = (actor: number, critic: number) => ({
  lr_actor: learningRate(actor, "Learning rate of the policy's Adam."),
  lr_critic: learningRate(critic, "Learning rate of the critics' Adam."),
});

/** The field of algorithms that update the policy less often than the critics. */
export const policyFreq = field(
  count(1).default(2),
  "Critic learning steps per update of the policy and the target networks.",
  { hpo: hpoRangeOf(1, 10, 1.5, 0.75) },
);

/** Hyperparameters that mutate by default in algorithms with two learning rates. */
export const ACTOR_CRITIC_HP = ["lr_actor", "lr_critic", "batch_size", "learn_step"] as const;
