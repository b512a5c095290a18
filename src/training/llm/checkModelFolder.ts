import { type Folder, loadModelParts } from "../../llm/models.ts";

export interface CheckedModel {
  /** Names of the files that a run reads. */
  readonly files: readonly string[];
  /** Warnings for the owner of the model. */
  readonly warnings: readonly string[];
}

/** Reads a folder's model and tokenizer as a run does. @throws Any error from reading them. */
export async function checkModelFolder(folder: Folder): Promise<CheckedModel> {
  const files = new Set<string>();
  const noting: Folder = {
    path: folder.path,
    async readFile(name) {
      const bytes = await folder.readFile(name);
      if (bytes !== null) files.add(name);
      return bytes;
    },
  };
  const { warnings } = await loadModelParts(folder.path, () => noting);
  return { files: [...files], warnings };
}
