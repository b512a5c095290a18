import { type Folder, storeFolder } from "../../llm/files/Folder.ts";
import type { FileStore } from "../../storage/index.ts";
import { keptDirectory } from "./modelPaths.ts";

/** Folders of base models by the paths of manifests. In a browser `models/NAME` is one that the workbench keeps. */
export const modelFoldersOf =
  (store: FileStore) =>
  (path: string): Folder =>
    storeFolder(store, store.kind === "disk" ? path : keptDirectory(path));
