/** Fields of GRPO, GSPO and CISPO, and what follows from them. */

import { z } from "zod";
import {
  accumulation,
  adapterRate,
  clipPair,
  GROUP_SEARCH,
  klEstimator,
  LANGUAGE_MODEL,
  RATIO_LEVELS,
  rolloutShape,
} from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf, integer } from "../../specs/checks.ts";
import type { RatioLevel } from "./losses/ratioUnits.ts";

/** Fields of the group family. */
export const groupShape = {
  ...rolloutShape,
  group_size: field(
    integer(1).default(8),
    "Completions of each prompt, which are compared with one another; at least 2 are needed to learn anything.",
    { hpo: hpoRangeOf(4, 16, 1.5, 0.75) },
  ),
  lr: adapterRate(5e-7),
  clip_coef: clipPair,
  kl_estimator: klEstimator,
  use_bias_correction_kl: field(
    z.boolean().default(false),
    "Multiplies k3 by the importance ratio, also in its gradient, which is then that of KL(pi, ref) where ratios are of tokens (DeepSeek-V3.2). TRL's default is true.",
    { advanced: true, rlkit_only: true },
  ),
  adv_norm: field(
    z.enum(["mean_only", "mean_std"]).default("mean_std"),
    "Advantages: rewards minus the group's mean, or also divided by the group's standard deviation.",
  ),
  use_kl_advantage_shaping: field(
    z.boolean().default(false),
    "Adds the distance to the reference model to the advantages instead of to the loss.",
  ),
  importance_sampling_level: field(
    z.enum(RATIO_LEVELS).nullable().default(null),
    "Unit of one importance ratio. If unset, a token; with loss_type gspo always a trajectory.",
  ),
  advantage_granularity: field(
    z.enum(["auto", "trajectory", "turn"]).default("auto"),
    "Unit of one advantage. auto: turns if the importance ratio is per turn, otherwise trajectories.",
  ),
  whiten_advantages: field(z.boolean().default(false), "Normalises advantages over the batch."),
  adv_clip_range: field(
    atLeast(0).nullable().default(null),
    "Largest absolute value of an advantage. If unset, any.",
  ),
  filter_zero_adv: field(z.boolean().default(false), "Excludes sequences whose advantages are all zero."),
  adv_filter_eps: field(atLeast(0).default(0), "Advantages with an absolute value up to this count as zero."),
  use_memory_efficient_params: field(z.boolean().default(true), "Frees gathered weights early.", {
    advanced: true,
    effect: false,
  }),
  turn_advantage_trajectory_fallback: field(
    z.boolean().default(true),
    "Uses the trajectory's advantage for turns without one.",
  ),
  loss_norm: field(
    z.enum(["micro_batch", "accumulation_window"]).default("micro_batch"),
    "How the loss is averaged: over sequences (each a mean over its tokens), or over all tokens.",
  ),
  gradient_accumulation_steps: accumulation,
};
type GroupShapeMade = typeof groupShape;
/** Named, so that the specs' types show this name instead of all its fields. */
export interface GroupShape extends GroupShapeMade {}
/** The spec of an algorithm of the group family, with its own fields. */
export type GroupObject<Own extends z.ZodRawShape> = z.ZodObject<GroupShape & Own, z.core.$strict>;

export const LOSS = "Variant of the loss.";

/** Variants that are named after the average of their tokens, as in TRL. */
export const NORMALISED = ["dapo", "dr_grpo", "bnpo"] as const;

interface GroupChoice {
  readonly clip_coef: number | readonly [number, number];
  readonly kl_estimator: "rlkit" | "k3";
  readonly use_bias_correction_kl: boolean;
}

/** Adds an issue if the bounds of the ratio are in the wrong order, or for a correction of another penalty than k3. */
export function checkGroup(
  { clip_coef, kl_estimator, use_bias_correction_kl }: GroupChoice,
  context: z.core.$RefinementCtx,
): void {
  if (use_bias_correction_kl && kl_estimator !== "k3") {
    const message = `found true with kl_estimator ${kl_estimator}; it corrects k3; set kl_estimator: k3`;
    context.addIssue({ code: "custom", path: ["use_bias_correction_kl"], message });
  }
  if (typeof clip_coef === "number" || clip_coef[0] <= clip_coef[1]) return;
  const [least, most] = clip_coef;
  const message = `found [${least}, ${most}]; the first value is the lowest ratio and the second the highest: write [${most}, ${least}]`;
  context.addIssue({ code: "custom", path: ["clip_coef"], message });
}

/** What the specs know of all of them. @internal */
export const GROUP_FACTS = {
  ...LANGUAGE_MODEL,
  search: GROUP_SEARCH,
  env_types: ["rollout"],
  metrics: ["loss", "kl", "completion_length", "ratio_error"],
};

/** The specs of the group family. */
export type GroupSpec = z.output<z.ZodObject<typeof groupShape>> & {
  readonly name: string;
  readonly loss_type: "grpo" | "gspo" | "cispo" | (typeof NORMALISED)[number];
};

/** The unit that one importance ratio covers. */
export const ratioLevel = ({ loss_type, importance_sampling_level }: GroupSpec): RatioLevel =>
  loss_type === "gspo" ? "trajectory" : (importance_sampling_level ?? "token");

/** Whether an advantage covers a turn instead of a trajectory. */
export const hasTurnAdvantages = (spec: GroupSpec): boolean =>
  spec.advantage_granularity === "turn" ||
  (spec.advantage_granularity === "auto" && ratioLevel(spec) === "turn");

/** Lower and upper bound of the ratio. */
export const ratioBounds = ({ clip_coef }: GroupSpec): readonly [number, number] =>
  typeof clip_coef === "number" ? [1 - clip_coef, 1 + clip_coef] : clip_coef;

/** Whether the variant has an average of its own, instead of `loss_norm`'s. */
export const isNormalised = ({ loss_type }: GroupSpec): boolean =>
  NORMALISED.some((own) => own === loss_type);

/** Tokens of a completion that `dr_grpo` divides by, however long it is. */
export const longestCompletion = ({ max_output_tokens, max_model_len }: GroupSpec): number =>
  max_output_tokens ?? max_model_len;

/** Warnings about settings that may not have the intended effect, for the owner of the run. */
export function remarksOn(spec: GroupSpec): string[] {
  const { name, loss_type, importance_sampling_level: level, clip_coef } = spec;
  const [least, most] = ratioBounds(spec);
  const remarks: string[] = [];
  if (spec.group_size === 1)
    remarks.push(`${name}: group_size is 1, so every advantage is 0 and nothing is learned; set 2 or more`);
  if (loss_type === "gspo" && level !== null && level !== "trajectory") {
    remarks.push(
      `${name}: importance_sampling_level "${level}" has no effect, since ratios of loss_type gspo cover trajectories; leave it out`,
    );
  }
  if (loss_type === "cispo" && spec.beta !== 0)
    remarks.push(
      `${name}: beta is ${spec.beta}, and loss_type cispo is published without a penalty; set it to 0`,
    );
  if (isNormalised(spec) && spec.loss_norm !== "micro_batch")
    remarks.push(
      `${name}: loss_norm "${spec.loss_norm}" has no effect, since loss_type ${loss_type} has an average of its own; leave it out`,
    );
  if (loss_type === "dr_grpo" && spec.adv_norm !== "mean_only")
    remarks.push(
      `${name}: adv_norm is "${spec.adv_norm}", and loss_type dr_grpo is published with "mean_only"; set it to that`,
    );
  if (typeof clip_coef !== "number" && (least > 1 || most < 1)) {
    remarks.push(
      `${name}: clip_coef [${least}, ${most}] are bounds of the ratio itself and leave out 1, where it starts; write for example [0.8, 2]`,
    );
  }
  return remarks;
}
