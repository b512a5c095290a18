import type { Folder } from "../../llm/models.ts";
import { reasonOf } from "../../storage/files.ts";
import { joinPath, StorageError } from "../../storage/index.ts";
import type { PickedFile } from "../protocol/storage.ts";

/** The files that the user picked, as a folder. */
export const pickedFolder = (path: string, files: readonly PickedFile[]): Folder => ({
  path,
  async readFile(name) {
    const file = files.find((picked) => picked.name === name);
    if (file === undefined) return null;
    try {
      return new Uint8Array(await file.content.arrayBuffer());
    } catch (cause) {
      // The file was changed or moved, or the browser may not read it.
      throw new StorageError("io", joinPath(path, name), `${reasonOf(cause)}; pick the folder again`, {
        cause,
      });
    }
  },
});
