/** The layers of a model that a low-rank adapter applies to, and its weights there. */
import { FieldError } from "../../specs/checks.ts";
import type { LoraConfigDict } from "../../specs/networks.ts";
import { reasonOf } from "../../storage/files.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "../models/ModelConfig.ts";
import { adapterNames } from "../models/WeightSource.ts";

/** The fields of `lora_config` that determine an adapter. Its effect is scaled by `lora_alpha / lora_r`. */
export interface LoraSettings {
  readonly lora_r: number;
  readonly lora_alpha: number;
  readonly target_modules: string | readonly string[];
}

/**
 * The settings of a `lora_config`. A rank-stabilised adapter (Kalajdzievski 2023, arXiv 2312.03732) is the plain one with
 * the same effect.
 */
export const loraSettings = (config: LoraSettings & Pick<LoraConfigDict, "use_rslora">): LoraSettings => ({
  lora_r: config.lora_r,
  lora_alpha: config.use_rslora ? config.lora_alpha * Math.sqrt(config.lora_r) : config.lora_alpha,
  target_modules: config.target_modules,
});

/** A linear layer that has an adapter. */
export interface LoraTarget {
  /** Name in the model, such as `model.layers.0.self_attn.q_proj`. */
  readonly module: string;
  /** Name of the weight in the model's file. */
  readonly weight: string;
  readonly inputs: number;
  readonly outputs: number;
  /** Layout of the model's weight. The adapter's own matrices are always [out, in]. */
  readonly linear: NonNullable<WeightDecl["linear"]>;
}

/** One of the two matrices of a target, under its name in PEFT's files. */
export interface AdapterWeight {
  readonly name: string;
  readonly shape: readonly [number, number];
  readonly target: LoraTarget;
}

/**
 * The layers selected by `target_modules`. "all-linear" selects all linear layers; any other text is a
 * regular expression that must match a layer's whole name. A list selects layers whose name is an item, or
 * ends in a dot and an item. The output layer never has an adapter.
 * @throws FieldError if no layer is selected, listing the layers, or for an invalid regular expression.
 */
export function loraTargets(
  config: ModelConfig,
  target_modules: string | readonly string[],
): readonly LoraTarget[] {
  const all = linearLayers(config);
  const isNamed = matcher(target_modules);
  const targets = all.filter(({ module }) => isNamed(module));
  if (targets.length > 0) return targets;
  const names = lastNames(all).join(", ");
  throw new FieldError(
    "target_modules",
    `found ${JSON.stringify(target_modules)}, which names no linear layer; allowed "all-linear", a list ` +
      `of ${names} or of whole names such as ${all[0]?.module}, or a regular expression that matches whole names`,
  );
}

/** The last part of the layers' names, without duplicates. */
export const lastNames = (targets: readonly LoraTarget[]): string[] => [
  ...new Set(targets.map(({ module }) => module.slice(module.lastIndexOf(".") + 1))),
];

/**
 * Weights of an adapter: for each target A [rank, in], then B [out, rank], in the
 * order of the model's layers.
 */
export function adapterWeightsOf(
  config: ModelConfig,
  { lora_r, target_modules }: LoraSettings,
): readonly AdapterWeight[] {
  return loraTargets(config, target_modules).flatMap((target): AdapterWeight[] => [
    { name: adapterNames(target.weight)[0], shape: [lora_r, target.inputs], target },
    { name: adapterNames(target.weight)[1], shape: [target.outputs, lora_r], target },
  ]);
}

function linearLayers(config: ModelConfig): LoraTarget[] {
  return weightsOf(config).flatMap(({ name, shape, linear }) => {
    const [rows, columns] = shape;
    if (linear === null || rows === undefined || columns === undefined) return [];
    const [outputs, inputs] = linear === "out_in" ? [rows, columns] : [columns, rows];
    return [{ module: name.replace(/\.weight$/, ""), weight: name, inputs, outputs, linear }];
  });
}

function matcher(target_modules: string | readonly string[]): (module: string) => boolean {
  if (typeof target_modules !== "string")
    return (module) => target_modules.some((item) => module === item || module.endsWith(`.${item}`));
  if (target_modules === "all-linear") return () => true;
  const whole = wholeMatch(target_modules);
  return (module) => whole.test(module);
}

function wholeMatch(expression: string): RegExp {
  try {
    // Python has another syntax for named groups.
    return new RegExp(`^(?:${expression.replaceAll("(?P<", "(?<")})$`);
  } catch (error) {
    throw new FieldError(
      "target_modules",
      `found ${JSON.stringify(expression)}, which is not a regular expression: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}
