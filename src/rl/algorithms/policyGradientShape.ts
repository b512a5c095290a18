/** Fields of PPO and of the algorithms that are made of it. */
import { learningRate, policyGradientSchedules } from "../../specs/algorithms.ts";
import { atLeast, count, field, fraction, hpoRangeOf } from "../../specs/checks.ts";

const around = hpoRangeOf(0.35, 0.65, 1.15, 0.85);

export const policyGradientShape = {
  learn_step: field(
    count(1).default(2048),
    "Environment steps collected for each learning phase, rounded up to whole steps of all environments; at least 2 steps.",
    { unit: "steps", hpo: hpoRangeOf(512, 8192) },
  ),
  lr: learningRate(1e-4, "Learning rate of Adam."),
  gae_lambda: field(
    fraction().default(0.95),
    "Weight of long returns in the advantage estimate: 0 trusts the value network, 1 the rewards.",
    { step: 0.01, hpo: hpoRangeOf(0.9, 0.99, 1.01, 0.99) },
  ),
  action_std_init: field(
    atLeast(0).default(0),
    "Initial logarithm of the standard deviation of continuous actions.",
    { step: 0.1 },
  ),
  clip_coef: field(
    fraction().default(0.2),
    "Clipping range: the probability ratio of an action is clipped to 1 plus or minus this. Values are not clipped.",
    {
      step: 0.05,
      hpo: hpoRangeOf(0.05, 0.35, 1.15, 0.85),
    },
  ),
  ent_coef: field(
    fraction().default(0.01),
    "Weight of the entropy bonus, which keeps the policy exploring.",
    {
      step: "log",
      hpo: hpoRangeOf(0.001, 0.1),
    },
  ),
  ...policyGradientSchedules,
  vf_coef: field(fraction().default(0.5), "Weight of the value loss.", { step: 0.05, hpo: around }),
  max_grad_norm: field(
    atLeast(0).default(0.5),
    "Largest L2 norm of a gradient; larger ones are scaled down.",
    {
      step: 0.05,
      hpo: around,
    },
  ),
  target_kl: field(
    atLeast(0).nullable().default(null),
    "Ends a learning phase early once the KL divergence of the policy exceeds this. If unset, never.",
    { step: "log" },
  ),
  update_epochs: field(count(1).default(4), "Passes over the collected steps in each learning phase.", {
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
};
