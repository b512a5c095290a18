/** Adapter folders in PEFT's format. */

import { z } from "zod";
import { type DrawKey, Random, subKey } from "../../evolution/index.ts";
import {
  encodeSafetensors,
  readFloats,
  StorageError,
  type StoredTensor,
  safetensorsHeader,
} from "../../storage/index.ts";
import { type Folder, jsonBytes, missingFile, placeOf, readJson } from "../files/Folder.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import type { Tuning } from "../models/WeightSource.ts";
import { type ExpectedAdapter, parseAdapterConfig, writeAdapterConfig } from "./adapterConfig.ts";
import { adapterWeightsOf, type LoraSettings, loraTargets } from "./loraTargets.ts";

/** The tuning of a model with the given LoRA settings; the base model for `null`. */
export const tuningOfAdapter = (config: ModelConfig, lora: LoraSettings | null): Tuning => {
  if (lora === null) return { kind: "base" };
  const { lora_r, lora_alpha, target_modules } = lora;
  const targets = loraTargets(config, target_modules).map(({ weight }) => weight);
  return { kind: "adapter", adapter: { rank: lora_r, scale: lora_alpha / lora_r, targets } };
};

/** Weights by their names in PEFT's files. */
export type AdapterWeights = ReadonlyMap<string, Float32Array>;

/**
 * An adapter that has no effect yet (Hu et al. 2021): A is uniform in +-1/sqrt(in), as in PEFT, and B is
 * zero. Each matrix has its own random stream, keyed by its name.
 */
export function initialAdapter(config: ModelConfig, lora: LoraSettings, key: DrawKey): AdapterWeights {
  return new Map(
    adapterWeightsOf(config, lora).map(({ name, shape: [rows, columns] }) => {
      if (name.endsWith(".lora_B.weight")) return [name, new Float32Array(rows * columns)];
      const random = new Random(subKey(key, name));
      const bound = 1 / Math.sqrt(columns);
      const draw = (): number => bound * (2 * random.uniform() - 1);
      return [name, Float32Array.from({ length: rows * columns }, draw)];
    }),
  );
}

const CONFIG = "adapter_config.json";
const WEIGHTS = "adapter_model.safetensors";

/** An adapter with the settings from its folder. */
export interface Adapter {
  readonly lora: LoraSettings;
  /** Name or path of the model that it was trained with; `null` if unknown. */
  readonly base_model: string | null;
  readonly weights: AdapterWeights;
}

export interface LoadedAdapter extends Adapter {
  /** Warnings for the owner of the model. */
  readonly warnings: readonly string[];
}

/** An adapter's files before they are checked against a model. */
export interface AdapterFiles {
  readonly folder: Folder;
  /** Content of `adapter_config.json`. */
  readonly content: unknown;
  /** F16 and BF16 are converted to f32. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** File contents by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** @throws StorageError `not_found` for a missing file, `corrupt` for a damaged one. */
export async function readAdapterFiles(folder: Folder): Promise<AdapterFiles> {
  const files = new Map<string, Uint8Array>();
  for (const name of [CONFIG, WEIGHTS]) {
    const bytes = await folder.readFile(name);
    if (bytes === null) {
      const advice = "an adapter that PEFT saved as safetensors has one, check the path";
      throw missingFile(folder, name, advice);
    }
    files.set(name, bytes);
  }
  const content = await readJson(folder, CONFIG, z.unknown());
  const bytes = files.get(WEIGHTS) ?? new Uint8Array();
  const file = placeOf(folder, WEIGHTS);
  const tensors = new Map<string, StoredTensor>();
  for (const place of safetensorsHeader(bytes, file).places)
    tensors.set(place.name, { shape: place.shape, data: readFloats(bytes, place, file) });
  return { folder, content, tensors, files };
}

/**
 * Checks adapter files against a model and returns the adapter.
 * @throws SpecError for an invalid config (see `parseAdapterConfig`); StorageError `corrupt` for tensors that
 *   are missing, surplus, or not of the shape given by rank and model.
 */
export function adapterOf(
  { folder, content, tensors }: AdapterFiles,
  model: ModelConfig,
  expected?: ExpectedAdapter,
): LoadedAdapter {
  const parsed = parseAdapterConfig(content, model, expected, placeOf(folder, CONFIG));
  return { ...parsed, weights: adapterFromTensors(model, parsed.lora, tensors, placeOf(folder, WEIGHTS)) };
}

/** Reads an adapter for a model. Throws as {@link readAdapterFiles} and {@link adapterOf} do. */
export const loadAdapter = async (
  folder: Folder,
  model: ModelConfig,
  expected?: ExpectedAdapter,
): Promise<LoadedAdapter> => adapterOf(await readAdapterFiles(folder), model, expected);

/**
 * The weights of an adapter from tensors under their names in PEFT's files.
 * @param place Names the adapter in errors.
 * @throws StorageError `corrupt` for tensors that are missing, surplus, not f32, or of another shape.
 */
export function adapterFromTensors(
  model: ModelConfig,
  lora: LoraSettings,
  tensors: ReadonlyMap<string, StoredTensor>,
  place = "adapter",
): AdapterWeights {
  const fail = (found: string): StorageError => new StorageError("corrupt", place, found);
  const weights = new Map<string, Float32Array>();
  for (const { name, shape } of adapterWeightsOf(model, lora)) {
    const tensor = tensors.get(name);
    const due = `[${shape.join(", ")}]`;
    if (tensor === undefined) throw fail(`lacks "${name}", which target_modules of ${CONFIG} asks for`);
    if (`[${tensor.shape.join(", ")}]` !== due) {
      const found = `"${name}" has shape [${tensor.shape.join(", ")}]`;
      throw fail(
        `${found}, where rank ${lora.lora_r} and the model ask for ${due}; is it for another model?`,
      );
    }
    if (!(tensor.data instanceof Float32Array)) throw fail(`"${name}" has integers, allowed f32`);
    weights.set(name, tensor.data);
  }
  const surplus = [...tensors.keys()].find((name) => !weights.has(name));
  if (surplus !== undefined)
    throw fail(`has "${surplus}", which is not a layer of target_modules in ${CONFIG}`);
  return weights;
}

/** The files of an adapter by name, which {@link loadAdapter} and PEFT can read. */
export function adapterFiles(
  model: ModelConfig,
  { lora, base_model, weights }: Adapter,
): Map<string, Uint8Array> {
  const tensors = adapterWeightsOf(model, lora).map(({ name, shape }): [string, StoredTensor] => {
    const data = weights.get(name);
    if (data === undefined) throw new StorageError("io", WEIGHTS, `there are no weights of "${name}"`);
    return [name, { shape, data }];
  });
  return new Map([
    [CONFIG, jsonBytes(writeAdapterConfig(model, lora, base_model))],
    [WEIGHTS, encodeSafetensors(tensors, { format: "pt" })],
  ]);
}
