/** Rotary embeddings in `config.json`: `rope_scaling` of transformers 4, `rope_parameters` of version 5. */
import { z } from "zod";
import { logarithm } from "../../evolution/members.ts";
import type { ModelConfig, RopeScaling } from "./ModelConfig.ts";

const size = z.int().min(1);
const positive = z.number().positive();

/** Types of scaling, with the numbers that each needs. */
const REQUIRED = {
  default: [],
  linear: ["factor"],
  dynamic: ["factor"],
  yarn: ["factor"],
  llama3: ["factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"],
} as const;
type RopeType = keyof typeof REQUIRED;

/** Fields of rotary embeddings of the given types. Those that a type does not use have no effect, as in transformers. */
function fieldsOf(types: readonly RopeType[], share: z.ZodType<number>) {
  const type = z.enum(types).nullish();
  return z.strictObject({
    rope_type: type,
    type,
    rope_theta: positive.nullish(),
    partial_rotary_factor: share.nullish(),
    factor: positive.nullish(),
    original_max_position_embeddings: size.nullish(),
    low_freq_factor: positive.nullish(),
    high_freq_factor: positive.nullish(),
    attention_factor: positive.nullish(),
    beta_fast: z.number().nonnegative().nullish(),
    beta_slow: z.number().nonnegative().nullish(),
    mscale: z.number().nonnegative().nullish(),
    mscale_all_dim: z.number().nonnegative().nullish(),
    truncate: z.boolean().default(true),
  });
}

export type RopeFields = z.output<ReturnType<typeof fieldsOf>>;

export const ropeTypeOf = ({ rope_type, type }: Pick<RopeFields, "rope_type" | "type">): RopeType =>
  rope_type ?? type ?? "default";

/** Names what the type of scaling needs and has not. */
function checkType(given: RopeFields, context: z.RefinementCtx): void {
  const type = ropeTypeOf(given);
  for (const name of REQUIRED[type])
    if (!given[name])
      context.addIssue({
        code: "custom",
        path: [name],
        message: `missing; rope_type ${type} needs a number`,
      });
}

const TYPES = Object.keys(REQUIRED) as RopeType[];
const [whole, part] = [z.literal(1), positive.max(1)];

/** Rotary embeddings of whole heads. */
export const rope = fieldsOf(TYPES, whole).superRefine(checkType).nullish();
/** The same, never scaled. */
export const plainRope = fieldsOf(["default"], whole).nullish();
/** Of parts of heads. */
export const partialRope = fieldsOf(TYPES, part).superRefine(checkType).nullish();
/** The same, never scaled. */
export const partialPlainRope = fieldsOf(["default"], part).nullish();

/** What scaling depends on besides its own fields. */
interface Positions {
  readonly max_position_embeddings: number;
  /** Takes precedence over the one of the scaling. */
  readonly original_max_position_embeddings?: number | null | undefined;
}

/** YaRN's factor of cosines and sines (Peng et al. 2023, equation 22), or DeepSeek's ratio of two. */
function attentionFactor({ attention_factor, mscale, mscale_all_dim }: RopeFields, factor: number): number {
  const grown = (slope: number): number => (factor <= 1 ? 1 : 0.1 * slope * logarithm(factor) + 1);
  return attention_factor ?? (mscale && mscale_all_dim ? grown(mscale) / grown(mscale_all_dim) : grown(1));
}

/** The scaling, and the longest sequence, which dynamic scaling extends. */
export function scalingOf(
  fields: RopeFields | null | undefined,
  { max_position_embeddings, original_max_position_embeddings: outer }: Positions,
): Pick<ModelConfig, "max_position_embeddings" | "rope_scaling"> {
  const scaled = (rope_scaling: RopeScaling) => ({ max_position_embeddings, rope_scaling });
  const type = fields ? ropeTypeOf(fields) : "default";
  if (!fields || type === "default") return { max_position_embeddings };
  const { factor, low_freq_factor, high_freq_factor, beta_fast, beta_slow, truncate } =
    fields as RopeFields & {
      // The schema requires what each type needs.
      readonly [Name in (typeof REQUIRED)["llama3"][number]]: number;
    };
  const original_max_position_embeddings =
    outer ?? fields.original_max_position_embeddings ?? max_position_embeddings;
  switch (type) {
    case "linear":
      return scaled({ rope_type: type, factor });
    case "dynamic": {
      const extended = Math.floor(max_position_embeddings * Math.max(1, factor));
      const own = { rope_type: type, factor, original_max_position_embeddings: max_position_embeddings };
      return { max_position_embeddings: extended, rope_scaling: own };
    }
    case "yarn":
      return scaled({
        rope_type: type,
        factor,
        original_max_position_embeddings,
        attention_factor: attentionFactor(fields, factor),
        beta_fast: beta_fast || 32,
        beta_slow: beta_slow || 1,
        truncate,
      });
    case "llama3":
      return scaled({
        rope_type: type,
        factor,
        low_freq_factor,
        high_freq_factor,
        original_max_position_embeddings,
      });
  }
}
