/** PEFT's `adapter_config.json`. */
import { z } from "zod";
import { FieldError, SpecError } from "../../specs/checks.ts";
import { parseAs } from "../files/Folder.ts";
import { isBuiltInModel } from "../models/builtin.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { type LoraSettings, lastNames, loraSettings, loraTargets } from "./loraTargets.ts";

/**
 * PEFT's fields that leave what an adapter computes as it is, besides those of the schema. Any other field that is set may
 * change it, or adds other weights: also one of a later version.
 */
const NEUTRAL = [
  "auto_mapping",
  "corda_config",
  "ensure_weight_tying",
  "eva_config",
  // PEFT itself sets it as the kind of layer asks for.
  "fan_in_fan_out",
  "inference_mode",
  // Without layers_to_transform it has no effect.
  "layers_pattern",
  "loftq_config",
  "lora_dropout",
  "lora_ga_config",
  "megatron_core",
  "peft_version",
  "qalora_group_size",
  "revision",
  "runtime_config",
];

/** Initialisations that leave the model's own weights unchanged; all others change them. */
const INITIAL = ["gaussian", "orthogonal", "eva"] as const;

const plainLora = z.looseObject({
  peft_type: z.literal("LORA"),
  task_type: z.literal("CAUSAL_LM").nullish(),
  r: z.int().min(1),
  lora_alpha: z.number().positive(),
  target_modules: z.union([z.string(), z.array(z.string())]),
  bias: z.literal("none").default("none"),
  use_rslora: z.boolean().nullish(),
  init_lora_weights: z.union([z.boolean(), z.enum(INITIAL)]).nullish(),
  base_model_name_or_path: z.string().nullish(),
});

const adapterConfig = plainLora.superRefine((config, context) => {
  for (const [field, value] of Object.entries(config)) {
    if (Object.hasOwn(plainLora.shape, field) || NEUTRAL.includes(field) || !isOn(value)) continue;
    const message = `found ${JSON.stringify(value)}, allowed plain LoRA only`;
    context.addIssue({ code: "custom", path: [field], message });
  }
});

const isOn = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== false;

/** Expected properties of an adapter, which are checked when it is read. */
export interface ExpectedAdapter {
  /** Name or path of the model that the adapter is applied to. */
  readonly base_model?: string;
  /** Settings that the adapter must have. */
  readonly lora?: LoraSettings;
}

export interface ParsedAdapterConfig {
  readonly lora: LoraSettings;
  /** Name or path of the model that it was trained with; `null` if the file does not state it. */
  readonly base_model: string | null;
  readonly warnings: readonly string[];
}

/**
 * Parses the settings in the content of `adapter_config.json`. The base model's name is a path on the machine
 * that wrote the file, so a different name is only a warning, unless either is a built-in model. An adapter with
 * `use_rslora` becomes the plain one that computes the same.
 * @param file Names the file in errors.
 * @throws SpecError with the file and every invalid field: another kind of adapter than plain LoRA, layers
 *   that the model does not have, another built-in base model, or settings other than expected.
 */
export function parseAdapterConfig(
  content: unknown,
  model: ModelConfig,
  expected: ExpectedAdapter = {},
  file = "adapter_config.json",
): ParsedAdapterConfig {
  const parsed = parseAs(adapterConfig, content, file);
  const { r, target_modules, base_model_name_or_path, use_rslora } = parsed;
  const { lora_alpha: alpha } = parsed;
  const lora = loraSettings({
    lora_r: r,
    lora_alpha: alpha,
    target_modules,
    use_rslora: use_rslora === true,
  });
  const { lora_r, lora_alpha } = lora;
  const layers = modulesOf(model, target_modules, file);
  const { base_model: wanted, lora: settings } = expected;
  if (settings !== undefined) {
    requireSame("r", lora_r, settings.lora_r, file);
    requireSame("lora_alpha", lora_alpha, settings.lora_alpha, file);
    requireSame("target_modules", layers, modulesOf(model, settings.target_modules, file), file);
  }
  // PEFT writes an empty name for a model that was never saved.
  const base_model = base_model_name_or_path || null;
  if (wanted === undefined || base_model === null || base_model === wanted)
    return { lora, base_model, warnings: [] };
  if ([base_model, wanted].some(isBuiltInModel))
    requireSame("base_model_name_or_path", base_model, wanted, file);
  const warning = `${file}: base_model_name_or_path: found ${base_model}, but the model is ${wanted}; the layers fit, so the adapter is used`;
  return { lora, base_model, warnings: [warning] };
}

function modulesOf(model: ModelConfig, target_modules: LoraSettings["target_modules"], file: string): string {
  try {
    return loraTargets(model, target_modules)
      .map(({ module }) => module)
      .join(", ");
  } catch (error) {
    if (error instanceof FieldError) throw wrong(error.field, error.detail, file);
    throw error;
  }
}

function requireSame(field: string, found: unknown, allowed: unknown, file: string): void {
  if (found === allowed) return;
  throw wrong(field, `found ${JSON.stringify(found)}, allowed ${JSON.stringify(allowed)}`, file);
}

const wrong = (field: string, message: string, file: string): SpecError =>
  new SpecError([{ code: "value", path: field, segments: [field], message }], file);

/** Content of an `adapter_config.json` that {@link parseAdapterConfig} and PEFT can read. */
export function writeAdapterConfig(
  model: ModelConfig,
  lora: LoraSettings,
  base_model: string | null,
): Record<string, unknown> {
  const { target_modules } = lora;
  return {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: base_model,
    r: lora.lora_r,
    lora_alpha: lora.lora_alpha,
    lora_dropout: 0,
    // PEFT resolves "all-linear" before it saves.
    target_modules:
      target_modules === "all-linear" ? lastNames(loraTargets(model, target_modules)) : target_modules,
    fan_in_fan_out: model.family === "gpt2",
    bias: "none",
    modules_to_save: null,
    rank_pattern: {},
    alpha_pattern: {},
    use_dora: false,
    use_rslora: false,
    init_lora_weights: true,
    inference_mode: true,
  };
}
