import { type Folder, storeFolder } from "../../llm/models.ts";
import type { FileStore } from "../../storage/index.ts";
import { keptDirectory } from "./modelPaths.ts";

/**
 * Finds folders of base models by their paths in manifests. In a browser, `models/NAME` is a folder that the
 * workbench keeps.
 */
export const modelFoldersOf =
  (store: FileStore) =>
  (path: string): Folder =>
    storeFolder(store, store.kind === "disk" ? path : keptDirectory(path));
