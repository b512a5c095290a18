import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf, integer, mapping } from "../field.ts";
import { TEXT_MODELS } from "../manifestNames.ts";
import { LoraConfigDict } from "../networks.ts";
import { AlgorithmSpec } from "./AlgorithmSpec.ts";

const relative = { advanced: true, effect: false };
const switchOf = (value: boolean, description: string) =>
  field(z.boolean().default(value), description, relative);
const text = (description: string) => field(z.string().nullable().default(null), description, relative);
const count = (description: string) => field(integer(1).nullable().default(null), description, relative);

const numberType = z.enum(["bfloat16", "float16", "float32", "float64"]);

const madeFSDPConfig = z.strictObject({
  reshard_after_forward: switchOf(true, "Frees gathered weights after the forward pass."),
  cpu_offload: switchOf(false, "Keeps weights in main memory."),
  optim_cpu_offload: switchOf(true, "Keeps optimiser state in main memory."),
  defer_grad_sync: switchOf(true, "Synchronises gradients once per learning step."),
  param_dtype: field(numberType.default("bfloat16"), "Number type of weights.", relative),
  reduce_dtype: field(numberType.default("float32"), "Number type of gradient sums.", relative),
  prefetch_units: field(integer(1).default(1), "Units fetched ahead.", relative),
  wrap_every_n_blocks: field(integer(1).default(1), "Blocks in one unit.", relative),
  param_persistence_threshold: field(integer(0).default(100_000), "Smaller parameters stay whole.", relative),
});
type FSDPConfigMade = typeof madeFSDPConfig;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface FSDPConfigSchema extends FSDPConfigMade {}

/** Sharding of a model over a cluster's GPUs. */
export const FSDPConfig: FSDPConfigSchema = madeFSDPConfig;
export type FSDPConfig = z.output<typeof FSDPConfig>;

/** Fields of every language-model algorithm. */
export const llmShape = {
  ...AlgorithmSpec.shape,
  batch_size: field(integer(1).default(16), "Samples in one learning step.", { hpo: hpoRangeOf(1, 32) }),
  beta: field(fraction().default(0.001), "Weight of the distance to the reference model.", {
    step: "log",
    hpo: hpoRangeOf(1e-4, 0.01),
  }),
  max_grad_norm: field(atLeast(0).default(0.1), "Largest L2 norm of a gradient.", {
    hpo: hpoRangeOf(0.35, 0.65),
  }),
  update_epochs: field(integer(1).default(1), "Passes over each batch.", { hpo: hpoRangeOf(1, 10) }),
  use_separate_reference_adapter: field(
    z.boolean().default(true),
    "Keeps the reference model as an adapter.",
  ),
  calc_position_embeddings: switchOf(true, "Computes position ids from the attention mask."),
  gradient_checkpointing: field(
    z.boolean().default(true),
    "Recomputes the activations of large micro-batches in the backward pass, to save memory. Adapters only.",
    { advanced: true },
  ),
  use_liger_loss: switchOf(true, "Fused loss kernels of AgileRL."),
  use_liger_kernel: field(z.boolean().nullable().default(null), "Fused model kernels of AgileRL.", relative),
  use_mamba_kernels: field(z.boolean().nullable().default(null), "State-space kernels of AgileRL.", relative),
  cast_logprobs_to_fp32: switchOf(
    true,
    "Computes log-probabilities in 32-bit floats, which they always are here.",
  ),
  seed: field(z.int().default(42), "Seed of the sampling."),
  quantization: field(
    z.union([z.string(), mapping()]).nullable().default(null),
    "Number format of base weights.",
    relative,
  ),
  reduce_memory_peak: field(
    z.boolean().nullable().default(null),
    "Saves memory in passes without gradients.",
    relative,
  ),
  activation_offload: switchOf(false, "Moves activations to main memory between passes."),
  use_sequence_packing: switchOf(false, "Packs several sequences into one row."),
  lora_target_scope: text("Part of the model that gets adapters."),
  chunk_rows: count("Rows of the loss computed at a time."),
  attn_implementation: text("Attention kernels of AgileRL."),
  micro_batch_size_per_gpu: field(
    integer(1).nullable().default(null),
    "Sequences that are learnt from at once, in one optimiser step unless gradient_accumulation_steps says otherwise; a pair of responses counts once. If unset, batch_size, or fewer if an adapter's would not fit into memory.",
    { advanced: true },
  ),
  mini_batch_size: field(
    integer(1).nullable().default(null),
    "Sequences per optimiser step. Must equal the micro-batch size, times gradient_accumulation_steps where there are some.",
    { advanced: true },
  ),
  hf_generate_chunk_size: count("Prompts per generation batch."),
  thinking_token_budget: field(
    integer(0).nullable().default(null),
    "Maximum number of tokens for thinking.",
    relative,
  ),
  constrain_answer_pattern: field(
    z.string().nullable().default(null),
    "Regular expression that an answer must match; not anchored.",
    relative,
  ),
  answer_continuation: switchOf(false, "Lets a completion continue after its answer."),
  fsdp: field(
    z
      .union([z.literal(true), FSDPConfig])
      .nullable()
      .default(null),
    "Sharding over GPUs.",
    relative,
  ),
  vllm_engine_args: field(mapping().default({}), "Extra arguments of the generation engine.", relative),
  vllm_lora_export_dir: field(
    z.string().nullable().default(null),
    "How adapters are passed to the generation engine.",
    { ...relative, outside: [] },
  ),
  pretrained_model_name_or_path: field(z.string().min(1).nullable().default(null), "The base model.", {
    outside: TEXT_MODELS,
  }),
  max_model_len: field(integer(1).default(1024), "Longest prompt and completion together.", {
    unit: "tokens",
  }),
  stop_strings: field(
    z.array(z.string().min(1)).default([]),
    "Texts that end an answer, which keeps them and what else its last token says.",
    { advanced: true, rlkit_only: true },
  ),
  lora_config: field(LoraConfigDict.nullable().default(null), "The adapter."),
  weight_decay: field(
    atLeast(0).default(0.01),
    "Share of each trained weight, times the learning rate, that an optimiser step takes away (AdamW).",
    { step: "log", advanced: true, rlkit_only: true },
  ),
  full_finetuning: field(
    z.boolean().default(false),
    "Trains all weights of the base model, and no adapter. Built-in models without lora_config always are.",
    { advanced: true, rlkit_only: true },
  ),
};

/** The field that adds up gradients. */
export const accumulation: z.ZodDefault<z.ZodInt> = field(
  integer(1).default(1),
  "Micro-batches whose gradients one optimiser step adds up, as if they were one. More than 1 need micro_batch_size_per_gpu.",
  { advanced: true, mutable: false, rlkit_only: true },
);

type Fields = z.output<LLMAlgorithmFields>;

/** Adds an issue if the settings of a language-model algorithm contradict each other. */
export function checkLanguageModel(
  spec: Pick<Fields, "full_finetuning" | "lora_config" | "constrain_answer_pattern" | "answer_continuation"> &
    Pick<Fields, "thinking_token_budget"> &
    Partial<Pick<Fields, "attn_implementation" | "use_sequence_packing">> &
    Partial<Pick<Fields, "mini_batch_size" | "micro_batch_size_per_gpu" | "batch_size">> & {
      max_output_tokens?: number | null;
      gradient_accumulation_steps?: number;
      group_size?: number;
    },
  context: z.core.$RefinementCtx,
): void {
  const fail = (key: keyof typeof spec, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  if (spec.full_finetuning && spec.lora_config !== null)
    fail("full_finetuning", "found true together with lora_config; remove one of the two");
  const pattern = spec.constrain_answer_pattern;
  if (pattern === null) {
    if (spec.answer_continuation) fail("answer_continuation", "needs constrain_answer_pattern to be set");
  } else if (!compiles(pattern)) {
    fail("constrain_answer_pattern", `found "${pattern}"; must be a regular expression`);
  } else if (/^\^|(?<!\\)(?:\\\\)*\$/.test(pattern)) {
    fail("constrain_answer_pattern", `found "${pattern}"; must not be anchored with ^ or $`);
  }
  const attention = spec.attn_implementation ?? "none";
  if (spec.use_sequence_packing && !["flash_attention_2", "flex_attention"].includes(attention)) {
    fail("use_sequence_packing", "needs attn_implementation flash_attention_2 or flex_attention");
  }
  const { mini_batch_size: mini = null, micro_batch_size_per_gpu: micro = null } = spec;
  if (mini !== null && micro !== null && mini % micro !== 0) {
    fail("mini_batch_size", `found ${mini}; must be a multiple of micro_batch_size_per_gpu (${micro})`);
  }
  const { gradient_accumulation_steps: steps = 1, batch_size = 1, group_size = 1 } = spec;
  const all = batch_size * group_size;
  if (steps > 1 && micro === null)
    fail(
      "gradient_accumulation_steps",
      `found ${steps}; above 1 it needs micro_batch_size_per_gpu to be set`,
    );
  else if (steps > 1 && micro !== null && all % (steps * micro) !== 0)
    fail(
      "gradient_accumulation_steps",
      `found ${steps}, with micro_batch_size_per_gpu ${micro}; a batch of ${all} sequences must be a multiple of their product, ${steps * micro}`,
    );
  const { thinking_token_budget: budget, max_output_tokens: tokens = null } = spec;
  if (budget === null) return;
  if (tokens === null) fail("thinking_token_budget", "needs max_output_tokens to be set");
  else if (budget >= tokens)
    fail("thinking_token_budget", `found ${budget}; must be less than max_output_tokens (${tokens})`);
}

/** Adds an issue for each enabled switch of the base that an algorithm does not support. */
export const without =
  (algorithm: string, keys: readonly ("use_sequence_packing" | "activation_offload")[]) =>
  (spec: Readonly<Record<(typeof keys)[number], boolean>>, context: z.core.$RefinementCtx): void => {
    for (const key of keys) {
      if (!spec[key]) continue;
      const message = `found true; ${algorithm} does not support it; set it to false`;
      context.addIssue({ code: "custom", path: [key], message });
    }
  };

type LLMAlgorithmFields = z.ZodObject<typeof llmShape, z.core.$strict>;

/**
 * Base of the specs of language-model algorithms.
 *
 * @example
 * ```ts
 * console.log(Object.keys(LLMAlgorithmSpec.shape));
 * ```
 */
export const LLMAlgorithmSpec: LLMAlgorithmFields = z.strictObject(llmShape).superRefine(checkLanguageModel);
export type LLMAlgorithmSpec = z.output<typeof LLMAlgorithmSpec>;

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
