import { z } from "zod";
import { atLeast, count, field, fraction, hpoRangeOf, integer, mapping } from "../field.ts";
import { SingleAgentAlgorithmSpec } from "./AlgorithmSpec.ts";
import { type Defined, defineAlgorithm, type RawAlgorithm } from "./defineAlgorithm.ts";

const around = hpoRangeOf(0.35, 0.65, 1.15, 0.85);

/** Proximal policy optimisation (Schulman et al. 2017), clipped objective. */
export const PPOSpec = z.strictObject({
  name: field(z.literal("PPO").default("PPO"), "Proximal policy optimisation."),
  ...SingleAgentAlgorithmSpec.shape,
  num_envs: field(
    integer(1).default(1),
    "Environments that each agent steps in parallel; set by the manifest's environment section.",
    { unit: "environments", mutable: false, advanced: true },
  ),
  learn_step: field(
    count(1).default(2048),
    "Environment steps collected for each learning phase, rounded up to whole steps of all environments; at least 2 steps.",
    { unit: "steps", hpo: hpoRangeOf(512, 8192) },
  ),
  lr: field(atLeast(0).default(1e-4), "Learning rate of Adam.", {
    step: "log",
    hpo: hpoRangeOf(6.25e-5, 0.01),
  }),
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

/** The type refers to the schema by name, so that declarations do not repeat the schema. */
export const PPO_DEFINITION: Defined<{
  readonly name: "PPO";
  readonly title: string;
  readonly schema: typeof PPOSpec;
  readonly other_names: typeof RECURRENT_NAMES;
  readonly prepare: typeof withMemory;
  readonly on_policy: true;
  readonly stochastic_actor: true;
  readonly num_envs_field: "num_envs";
  readonly critic_head: readonly [16];
}> = defineAlgorithm({
  name: "PPO",
  title: "Proximal policy optimisation",
  schema: PPOSpec,
  other_names: RECURRENT_NAMES,
  prepare: withMemory,
  on_policy: true,
  stochastic_actor: true,
  num_envs_field: "num_envs",
  critic_head: [16],
});
