import { type Folder, modelFolder } from "../../llm/models.ts";
import { joinPath } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";

/** The version of the layout is part of the path, as in paths of runs. */
const LAYOUT = "/v1";

/** Parent of the model folders, in the browser's files. */
export const MODELS_DIRECTORY = joinPath(LAYOUT, "models");

/** Path of a kept folder in manifests. On a disk, the same manifest finds the folder next to itself. */
export const modelPath = (name: string): string => joinPath("models", name);

/** Path of a base model in the browser's files, from its path in a manifest. */
const keptDirectory = (path: string): string =>
  /^models\/[^/]+$/.test(path) ? joinPath(LAYOUT, path) : path;

/**
 * Finds folders of base models by their paths in manifests, also those of the hub's models in the cache by their ids. In a
 * browser, `models/NAME` is a folder that the workbench keeps.
 */
export const modelFoldersOf =
  (store: FileStore) =>
  (path: string): Promise<Folder> =>
    modelFolder(store.kind === "disk" ? path : keptDirectory(path), store);
