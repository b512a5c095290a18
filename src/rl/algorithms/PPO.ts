/** Proximal policy optimisation (Schulman et al. 2017): clipped objective (eq. 7), squared value loss (eq. 9), GAE. */

import { z } from "zod";
import {
  abs,
  add,
  cast,
  clip,
  type Dim,
  div,
  exp,
  greater,
  minimum,
  mul,
  neg,
  ones,
  reshape,
  square,
  sub,
  sumAll,
  type Tensor,
} from "../../kernels/index.ts";
import { defineAlgorithm, POLICY_GRADIENT_SEARCH, type RawAlgorithm } from "../../specs/algorithms.ts";
import { field, hpoRangeOf, integer, mapping } from "../../specs/checks.ts";
import { flag, hyperparameter, type NumberIn } from "../contract/inputs.ts";
import type { Latents, Networks } from "../contract/network.ts";
import { defineOnPolicy } from "../contract/onPolicy.ts";
import { stochasticActor, valueNetwork } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { appliedSample, policyOf, policyRows } from "./actionDistribution.ts";
import { explainedVariance } from "./metrics.ts";
import { policyGradientShape } from "./policyGradientShape.ts";

/** Proximal policy optimisation (Schulman et al. 2017), clipped objective. */
export const PPOSpec = z.strictObject({
  name: field(z.literal("PPO").default("PPO"), "Proximal policy optimisation."),
  ...SingleAgentAlgorithmSpec.shape,
  num_envs: field(
    integer(1).default(1),
    "Environments that each agent steps in parallel; set by the manifest's environment section.",
    { unit: "environments", mutable: false, advanced: true },
  ),
  ...policyGradientShape,
  share_encoders: field(z.boolean().default(true), "Policy and value network share the policy's encoder."),
  rollout_buffer_config: field(mapping().nullable().default(null), "Extra arguments of the rollout buffer.", {
    advanced: true,
    effect: false,
  }),
  recurrent: field(z.boolean().default(false), "Uses a recurrent policy (LSTM).", { advanced: true }),
  max_seq_len: field(
    integer(1).nullable().default(null),
    "Longest sequence of a recurrent policy's learning step.",
    {
      unit: "steps",
      advanced: true,
      hpo: hpoRangeOf(8, 64),
    },
  ),
  bptt_sequence_type: field(
    z.enum(["chunked", "maximum", "fifty_percent_overlap"]).default("chunked"),
    "How a recurrent policy's episodes are cut into sequences.",
    { advanced: true },
  ),
});
export type PPOSpec = z.output<typeof PPOSpec>;
export type PPOSpecInput = z.input<typeof PPOSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<PPOSpec>>;

const RECURRENT_NAMES = ["Recurrent PPO", "RecurrentPPO"] as const;

/** Reads the names of recurrent PPO as PPO with memory. */
function withMemory(raw: RawAlgorithm, context: z.core.$RefinementCtx): RawAlgorithm {
  if (!RECURRENT_NAMES.some((name) => name === raw.name)) return raw;
  if (raw.recurrent === false) {
    context.addIssue({
      code: "custom",
      path: ["recurrent"],
      message: `found false; the name "${raw.name}" implies recurrent: true`,
    });
  }
  return { ...raw, recurrent: true };
}

export const PPO_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "PPO",
  title: "Proximal policy optimisation",
  schema: PPOSpec,
  other_names: RECURRENT_NAMES,
  prepare: withMemory,
  on_policy: true,
  search: POLICY_GRADIENT_SEARCH,
  stochastic_actor: true,
  num_envs_field: "num_envs",
  critic_head: [16],
});

/** Mean over the rows that count. */
const average = (x: Tensor, weight: Tensor): Tensor => div(sumAll(mul(x, weight)), sumAll(weight));

/** State values, [n]. */
function valueOf({ critic }: Networks<"critic">, latents: Latents<"critic">): Tensor {
  const value = critic.head(latents("critic"));
  return reshape(value, [value.shape[0] as Dim]);
}

const policyIn = ({ actor }: Networks<"actor">, latents: Latents<"actor">, mask?: Tensor) =>
  policyOf(actor, latents("actor"), mask);

export const PPO = /* @__PURE__ */ defineOnPolicy({
  spec: PPO_DEFINITION,
  actions: ["Discrete", "MultiDiscrete", "MultiBinary", "Box"],
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    const action_std_init = Number(hyperparameters.action_std_init);
    return {
      actor: stochasticActor(observation_space, action_space, network, { action_std_init }),
      critic: valueNetwork(observation_space, network, { share_encoder }),
    };
  },
  targets: {},
  sharesEncoder: { critic: "actor" },
  policy: "actor",
  optimizers: {
    optimizer: {
      networks: ["actor", "critic"],
      lr: "lr",
      max_grad_norm: "max_grad_norm",
      grad_norm: "grad_norm",
    },
  },
  metrics: ["loss", "policy_loss", "value_loss", "entropy_loss", "entropy", "approx_kl", "clip_fraction"],
  activationMutation: false,
  structural: ["share_encoders", "normalize_images"],
  counts: ["update_epochs"],
  policyOutputs: ({ actor }, latent) => policyRows(actor, latent),

  act: (networks, latents, draws, { action_space }, mask) => {
    const policy = policyIn(networks, latents, mask);
    const action = policy.sample(draws);
    const applied = appliedSample(action, action_space, policy, networks.actor);
    return { action, applied, log_prob: policy.logProb(action) };
  },
  greedy: (networks, latents, { action_space }, mask) => {
    const policy = policyIn(networks, latents, mask);
    return appliedSample(policy.mode(), action_space, policy, networks.actor);
  },
  logProb: (networks, latents, action, mask) => policyIn(networks, latents, mask).logProb(action),
  value: valueOf,

  rollout: {
    metrics: ["explained_variance"],
    of: (values, returns) => ({
      explained_variance: explainedVariance(values, returns, ones(returns.shape)),
    }),
  },
  learn: (networks, batch) => {
    const { latents, action, log_prob, advantage, returns, weight, mask } = batch;
    const policy = policyIn(networks, latents, mask);
    const value = valueOf(networks, latents);
    const clip_coef = read("clip_coef");
    const logRatio = sub(policy.logProb(action), log_prob);
    const ratio = exp(logRatio);
    const clipped = clip(ratio, sub(1, clip_coef), add(1, clip_coef));
    const policy_loss = neg(average(minimum(mul(ratio, advantage), mul(clipped, advantage)), weight));
    const value_loss = mul(average(square(sub(value, returns)), weight), 0.5);
    const entropy = average(policy.entropy(), weight);
    const loss = sub(add(policy_loss, mul(read("vf_coef"), value_loss)), mul(read("ent_coef"), entropy));
    // Schulman's low-variance estimate of KL(old || new): mean of (ratio - 1) - log ratio.
    const kl = average(sub(sub(ratio, 1), logRatio), weight);
    const isClipped = cast(greater(abs(sub(ratio, 1)), clip_coef), "f32");
    return {
      losses: { optimizer: loss },
      metrics: {
        loss,
        policy_loss,
        value_loss,
        entropy_loss: neg(entropy),
        entropy,
        approx_kl: kl,
        clip_fraction: average(isClipped, weight),
      },
      kl,
    };
  },
});
