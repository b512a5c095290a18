/** Which layers of a model a low-rank adapter goes to, and the weights that it has there. */
import { reasonOf } from "../../storage/storageError.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "../models/ModelConfig.ts";
import { adapterNames } from "../models/WeightSource.ts";

/** The fields of `lora_config` that shape an adapter. Its effect is multiplied by `lora_alpha / lora_r`. */
export interface LoraSettings {
  readonly lora_r: number;
  readonly lora_alpha: number;
  readonly target_modules: string | readonly string[];
}

/** A linear layer that has an adapter. */
export interface LoraTarget {
  /** Its name in the model, such as `model.layers.0.self_attn.q_proj`. */
  readonly module: string;
  /** The weight's name in the model's file. */
  readonly weight: string;
  readonly inputs: number;
  readonly outputs: number;
  /** How the model's weight lies; the adapter's own matrices are always [out, in]. */
  readonly linear: NonNullable<WeightDecl["linear"]>;
}

/** One of the two matrices of a target, by its name in PEFT's files. */
export interface AdapterWeight {
  readonly name: string;
  readonly shape: readonly [number, number];
  readonly target: LoraTarget;
}

/**
 * The layers that `target_modules` names: "all-linear", all linear layers; another text, those whose whole name it
 * matches as a regular expression; a list, those whose name is an item or ends in a dot and an item. The output layer
 * never has an adapter.
 * @throws RangeError where none is named, with what there is, or for a text that is no regular expression.
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
  throw new RangeError(
    `target_modules: found ${JSON.stringify(target_modules)}, which names no linear layer; allowed "all-linear", a list ` +
      `of ${names} or of whole names such as ${all[0]?.module}, or a regular expression that matches whole names`,
  );
}

/** Layers' names without the way to them, each once. */
export const lastNames = (targets: readonly LoraTarget[]): string[] => [
  ...new Set(targets.map(({ module }) => module.slice(module.lastIndexOf(".") + 1))),
];

/** Weights of an adapter, for each target A [rank, in] and then B [out, rank], in the order of the model's layers. */
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
    // Python names its groups differently.
    return new RegExp(`^(?:${expression.replaceAll("(?P<", "(?<")})$`);
  } catch (error) {
    throw new RangeError(
      `target_modules: found ${JSON.stringify(expression)}, which is no regular expression: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}
