import { z } from "zod";
import { atLeast, field, fraction, integer, mapping } from "../field.ts";

const relative = { advanced: true, effect: false };
const optional = <S extends z.ZodType>(schema: S, description: string, hints = {}) =>
  field(schema.nullable().default(null), description, { ...relative, ...hints });

const madeVLLMConfig = z.strictObject({
  tensor_parallel_size: field(integer(1).default(1), "GPUs that share one engine.", relative),
  gpu_memory_utilization: field(fraction().default(0.3), "Share of GPU memory for the engine.", relative),
  max_num_seqs: optional(integer(1), "Sequences generated at a time."),
  max_num_batched_tokens: optional(integer(1), "Tokens in one pass."),
  enforce_eager: optional(z.boolean(), "Runs without captured graphs."),
  sleep_mode: field(z.boolean().default(false), "Frees memory between generations.", relative),
  sleep_mode_level: field(z.union([z.literal(1), z.literal(2)]).default(1), "How much is freed.", relative),
  dtype: optional(z.string(), "Number type of weights."),
  quantization: optional(z.string(), "Number format of weights."),
  vllm_model_name_or_path: optional(z.string(), "Model of the engine, if it differs from the base model.", {
    outside: [],
  }),
  kv_cache_dtype: optional(z.string(), "Number type of the attention cache."),
  max_lora_rank: field(integer(1).default(16), "Largest rank of an adapter.", relative),
  max_loras: field(integer(1).default(1), "Adapters held at a time.", relative),
  strip_multimodal_towers: field(
    z.union([z.boolean(), z.array(z.string())]).default(false),
    "Leaves out a model's parts for images and sound.",
    relative,
  ),
  stop_sequences: optional(z.array(z.string()), "Texts that end a completion."),
  presence_penalty: field(z.number().default(0), "Penalty on tokens that occurred.", relative),
  frequency_penalty: field(z.number().default(0), "Penalty on tokens by how often they occurred.", relative),
  kv_cache_memory_bytes: optional(integer(1), "Memory of the attention cache."),
  limit_mm_per_prompt: optional(mapping(), "Images and the like in one prompt, by kind."),
  lora_staging_dir: optional(z.string(), "Where adapters are handed over.", { outside: [] }),
});
type VLLMConfigMade = typeof madeVLLMConfig;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface VLLMConfigSchema extends VLLMConfigMade {}

/** Settings of the generation engine that AgileRL uses on its clusters. */
export const VLLMConfig: VLLMConfigSchema = madeVLLMConfig;
export type VLLMConfig = z.output<typeof VLLMConfig>;

/** Settings of AgileRL's engine when it shares the trainer's GPU. @internal */
export const COLOCATED_ENGINE = VLLMConfig.parse({
  max_num_seqs: 16,
  gpu_memory_utilization: 0.9,
  sleep_mode: true,
});

const madeCosineSchedule = z.strictObject({
  num_steps: field(integer(1), "Learning steps until the lowest rate."),
  warmup_proportion: field(atLeast(0).lt(1).default(0), "Share of the steps in which the rate rises."),
  min_lr_ratio: field(fraction().default(0.1), "Lowest rate as a share of the highest."),
});
type CosineScheduleMade = typeof madeCosineSchedule;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface CosineScheduleSchema extends CosineScheduleMade {}

/** A learning rate that decays along a cosine. */
export const CosineLRScheduleConfig: CosineScheduleSchema = madeCosineSchedule;
export type CosineLRScheduleConfig = z.output<typeof CosineLRScheduleConfig>;

type CosineRate = z.ZodDefault<z.ZodNullable<CosineScheduleSchema>>;

/** The field that schedules learning rates. */
export const cosineRate: CosineRate = field(
  CosineLRScheduleConfig.nullable().default(null),
  "Lets the learning rate rise for a while, then fall along a cosine.",
);
