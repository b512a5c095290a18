/** Opens a language model: its configuration, weights and tokenizer. */
import type { FileStore } from "../../storage/index.ts";
import { type Folder, storeFolder, verified } from "../files/Folder.ts";
import { type LoadedTokenizer, loadTokenizer } from "../tokenizers/loadTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { builtInModel, builtInModelIds, isBuiltInModel } from "./builtin.ts";
import type { ModelConfig } from "./ModelConfig.ts";
import { type ModelWeights, openModel } from "./modelFiles.ts";
import type { StoredWeights } from "./StoredWeights.ts";

/** The parts of a model. */
export interface ModelParts {
  /** The id or path that was requested. */
  readonly id: string;
  readonly config: ModelConfig;
  /** A built-in model's weights; empty for a folder, whose weights are read from its files to a device. */
  readonly weights: ModelWeights;
  /** The weights in the files of a folder; `null` for a built-in model. */
  readonly stored: StoredWeights | null;
  readonly tokenizer: Tokenizer;
  /** The folder; `null` for a built-in model. */
  readonly folder: Folder | null;
  /** Whether it is a built-in model. Those are trained fully unless an adapter is requested. */
  readonly built_in: boolean;
  readonly warnings: readonly string[];
}

/**
 * Opens a built-in model by id, or a folder with `config.json`, weights and tokenizer.
 * @param folderOf Opens a folder by path; `null` if there is no file access.
 * @param tokenizerOf Reads a folder's tokenizer.
 * @throws Error for an unknown built-in id, or a path without file access; SpecError for unsupported settings
 *   in the files; StorageError for files that are missing or damaged.
 */
export async function loadModelParts(
  id: string,
  folderOf: ((path: string) => Folder) | null,
  tokenizerOf: (folder: Folder) => Promise<LoadedTokenizer> = loadTokenizer,
): Promise<ModelParts> {
  if (isBuiltInModel(id)) {
    const model = builtInModel(id);
    const { config, tokenizer } = model;
    return {
      id,
      config,
      weights: model.weights(),
      stored: null,
      tokenizer,
      folder: null,
      built_in: true,
      warnings: [],
    };
  }
  if (id.startsWith("rlkit/") || folderOf === null) {
    throw new Error(
      `pretrained_model_name_or_path: found "${id}", allowed ${builtInModelIds.join(", ")}, or a folder with a model's files`,
    );
  }
  const folder = folderOf(id);
  // A tokenizer may have been added to a model that rlkit wrote, so its files are not compared.
  const { config, weights: stored } = await openModel(verified(folder));
  const { tokenizer, warnings } = await tokenizerOf(folder);
  return { id, config, weights: new Map(), stored, tokenizer, folder, built_in: false, warnings };
}

/** All weights in host memory, by the names from `weightsOf`. @throws As `StoredWeights.parts` does. */
export const wholeWeights = async ({ weights, stored }: ModelParts): Promise<ModelWeights> =>
  stored ? stored.whole() : weights;

/** Opens folders of a store by path. */
export const foldersOf =
  (store: FileStore) =>
  (path: string): Folder =>
    storeFolder(store, path);
