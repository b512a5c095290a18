/** Opens a language model: its configuration, weights and tokenizer. */
import { cachedRepository, hubIdOf } from "../../hub/index.ts";
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
  readonly stored: Pick<StoredWeights, "parts" | "whole"> | null;
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
  folderOf: ((path: string) => Folder | Promise<Folder>) | null,
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
  const folder = await folderOf(id);
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

/** The id of the hub that a path stands for; `null` for what is there under that path, or looks like no id. */
const hubIdAt = async (path: string, store: FileStore): Promise<string | null> =>
  hubIdOf(path) === null || (await store.exists(path)) ? null : path;

const cachedModel = (id: string, store: FileStore) =>
  cachedRepository({ kind: "model", id, part: null }, store);

/**
 * The folder of a model: the one at the path, or else that of the hub's model with that id in the cache.
 * @throws HubError for a model in the cache whose files were changed.
 */
export async function modelFolder(path: string, store: FileStore): Promise<Folder> {
  const id = await hubIdAt(path, store);
  const cached = id === null ? null : await cachedModel(id, store);
  return storeFolder(store, cached?.folder ?? path);
}

/** The id of the hub's model that a path stands for and that the cache does not have; else `null`. */
export async function missingHubModel(path: string, store: FileStore): Promise<string | null> {
  const id = await hubIdAt(path, store);
  return id === null || (await cachedModel(id, store)) ? null : id;
}
