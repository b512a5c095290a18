import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf, integer, layers, real } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { defineAlgorithm } from "./defineAlgorithm.ts";

/**
 * Rainbow (Hessel et al. 2018): distributional Q-learning with noisy layers, dueling heads, double targets and,
 * depending on the replay buffer's settings, n-step returns and prioritised samples.
 */
export const RainbowDQNSpec = z
  .strictObject({
    name: field(z.literal("RainbowDQN").default("RainbowDQN"), "Rainbow."),
    ...SingleAgentAlgorithmSpec.shape,
    lr: field(atLeast(0).default(1e-4), "Learning rate of Adam.", {
      step: "log",
      hpo: hpoRangeOf(6.25e-5, 0.01),
    }),
    tau: field(
      fraction().default(0.001),
      "Fraction of the online network blended into the target network after each learning step.",
      { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
    ),
    beta: field(
      fraction().default(0.4),
      "Initial correction of the bias of prioritised sampling: 0 is none, 1 is full. It grows to 1 over the run.",
      { step: 0.05, hpo: hpoRangeOf(0.2, 0.6) },
    ),
    prior_eps: field(atLeast(0).default(1e-6), "Added to every new priority, so that none is zero.", {
      step: "log",
      advanced: true,
    }),
    num_atoms: field(integer(1).default(51), "Number of atoms of the return distribution.", {
      mutable: false,
    }),
    v_min: field(real().default(0), "Lowest return that the distribution holds.", { mutable: false }),
    v_max: field(real().default(200), "Highest return that the distribution holds.", { mutable: false }),
    noise_std: field(atLeast(0).default(0.5), "Initial scale of the noisy layers.", {
      mutable: false,
      step: 0.05,
    }),
    n_step: field(
      layers(1).default(3),
      "Steps of the n-step return; set by the manifest's replay_buffer.n_step_buffer_args. Without an n-step buffer, returns have one step, and a warning is given if a manifest sets another number.",
      { unit: "steps", mutable: false },
    ),
    combined_reward: field(
      z.boolean().default(false),
      "Adds the losses of one-step and n-step returns, instead of the n-step loss alone.",
    ),
  })
  .superRefine(({ num_atoms, v_min, v_max }, context) => {
    if (num_atoms === 1) {
      const message = `found ${num_atoms}; the distribution of returns spans v_min to v_max, so it needs at least 2 points`;
      context.addIssue({ code: "custom", path: ["num_atoms"], message, params: { code: "range" } });
    }
    if (v_min < v_max) return;
    const message = `found ${v_min}; must be less than v_max (${v_max})`;
    context.addIssue({ code: "custom", path: ["v_min"], message, params: { code: "range" } });
  });
export type RainbowDQNSpec = z.output<typeof RainbowDQNSpec>;
export type RainbowDQNSpecInput = z.input<typeof RainbowDQNSpec>;

export const RAINBOW_DQN_DEFINITION = defineAlgorithm({
  name: "RainbowDQN",
  title: "Rainbow",
  schema: RainbowDQNSpec,
  other_names: ["Rainbow DQN"],
  off_policy: true,
  prioritised: true,
});
