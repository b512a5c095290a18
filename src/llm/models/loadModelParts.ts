/** Loads a language model: its configuration, weights and tokenizer. */
import type { FileStore } from "../../storage/index.ts";
import { type Folder, storeFolder, verified } from "../files/Folder.ts";
import { type LoadedTokenizer, loadTokenizer } from "../tokenizers/loadTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { builtInModel, builtInModelIds, isBuiltInModel } from "./builtin.ts";
import type { ModelConfig } from "./ModelConfig.ts";
import { loadModel, type ModelWeights, type ReadTensor } from "./modelFiles.ts";

/** The parts of a model in host memory. */
export interface ModelParts {
  /** The id or path that was requested. */
  readonly id: string;
  readonly config: ModelConfig;
  /** Empty once {@link movedWeights} has moved them to a device. */
  readonly weights: ModelWeights;
  readonly tokenizer: Tokenizer;
  /** Whether it is a built-in model. Those are trained fully unless an adapter is requested. */
  readonly built_in: boolean;
  readonly warnings: readonly string[];
}

/**
 * Loads a built-in model by id, or a folder with `config.json`, weights and tokenizer.
 * @param folderOf Opens a folder by path; `null` if there is no file access.
 * @param tokenizerOf Reads a folder's tokenizer.
 * @param read Reads the tensors of a folder (default: as numbers).
 * @throws Error for an unknown built-in id, or a path without file access; SpecError for unsupported settings
 *   in the files; StorageError for files that are missing or damaged.
 */
export async function loadModelParts(
  id: string,
  folderOf: ((path: string) => Folder) | null,
  tokenizerOf: (folder: Folder) => Promise<LoadedTokenizer> = loadTokenizer,
  read?: ReadTensor,
): Promise<ModelParts> {
  if (isBuiltInModel(id)) {
    const model = builtInModel(id);
    const { config, tokenizer } = model;
    return { id, config, weights: model.weights(), tokenizer, built_in: true, warnings: [] };
  }
  if (id.startsWith("rlkit/") || folderOf === null) {
    throw new Error(
      `pretrained_model_name_or_path: found "${id}", allowed ${builtInModelIds.join(", ")}, or a folder with a model's files`,
    );
  }
  const folder = folderOf(id);
  // A tokenizer may have been added to a model that rlkit wrote, so its files are not compared.
  const { config, weights } = await loadModel(verified(folder), read);
  const { tokenizer, warnings } = await tokenizerOf(folder);
  return { id, config, weights, tokenizer, built_in: false, warnings };
}

/** The weights in host memory. @throws Error if they have been moved to a device. */
export function heldWeights({ id, weights }: ModelParts): ModelWeights {
  if (weights.size > 0) return weights;
  throw new Error(`model ${id}: its weights are on a device already; load it again`);
}

/**
 * Yields the weights for a device. Those of a folder are forgotten one by one, so that memory has them once: only
 * adapters train on them. A built-in model keeps its own, since agents may train copies of it.
 * @throws Error if they have been moved before.
 */
export function* movedWeights(parts: ModelParts): Generator<readonly [string, Float32Array]> {
  for (const weight of heldWeights(parts)) {
    yield weight;
    if (!parts.built_in) parts.weights.delete(weight[0]);
  }
}

/** Opens folders of a store by path. */
export const foldersOf =
  (store: FileStore) =>
  (path: string): Folder =>
    storeFolder(store, path);
