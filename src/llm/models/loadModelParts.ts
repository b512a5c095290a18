/** A language model as it is loaded: what it is made of, its weights, its tokenizer. */
import type { FileStore } from "../../storage/index.ts";
import { type Folder, storeFolder } from "../files/Folder.ts";
import { type LoadedTokenizer, loadTokenizer } from "../tokenizers/loadTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { builtInModel, builtInModelIds, isBuiltInModel } from "./builtin.ts";
import type { ModelConfig } from "./ModelConfig.ts";
import { loadModel, type ModelWeights } from "./modelFiles.ts";

/** A model's parts, before any device has them. */
export interface ModelParts {
  /** As it was asked for: an id or a path. */
  readonly id: string;
  readonly config: ModelConfig;
  readonly weights: ModelWeights;
  readonly tokenizer: Tokenizer;
  /** Whether it is one of rlkit's own, which are trained whole unless an adapter is asked for. */
  readonly built_in: boolean;
  readonly warnings: readonly string[];
}

/**
 * A built-in model by its id, or a folder with `config.json`, weights and tokenizer.
 * @param folderOf Finds a folder by its path; null where this program has no files.
 * @param tokenizerOf Reads a folder's tokenizer.
 * @throws SpecError for an id of the hub, and for what the files say that is not supported; StorageError for files that are
 *   missing or damaged.
 */
export async function loadModelParts(
  id: string,
  folderOf: ((path: string) => Folder) | null,
  tokenizerOf: (folder: Folder) => Promise<LoadedTokenizer> = loadTokenizer,
): Promise<ModelParts> {
  if (isBuiltInModel(id)) {
    const model = builtInModel(id);
    const { config, tokenizer } = model;
    return { id, config, weights: model.weights(), tokenizer, built_in: true, warnings: [] };
  }
  if (id.startsWith("rlkit/") || folderOf === null) {
    throw new Error(
      `pretrained_model_name_or_path: found "${id}"; there are ${builtInModelIds.join(", ")}, and folders with a model's files`,
    );
  }
  const folder = folderOf(id);
  const { config, weights } = await loadModel(folder);
  const { tokenizer, warnings } = await tokenizerOf(folder);
  return { id, config, weights, tokenizer, built_in: false, warnings };
}

/** Folders of a store. */
export const foldersOf =
  (store: FileStore) =>
  (path: string): Folder =>
    storeFolder(store, path);
