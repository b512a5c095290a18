/** Folders of base models in browser storage: calls from the page to the coordinator. All data is plain. */

export interface KeptModel {
  readonly name: string;
  /** The name in manifests, as `pretrained_model_name_or_path`. */
  readonly path: string;
  /** Size in storage. */
  readonly bytes: number;
}

/** One file of a folder that the user picked. */
export interface PickedFile {
  /** Name without the folder. */
  readonly name: string;
  readonly content: Blob;
}

export interface AddedModel {
  readonly model: KeptModel;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

export interface ModelCalls {
  /** The stored models, by name. */
  listModels(): Promise<readonly KeptModel[]>;
  /**
   * Checks a folder as a run reads it, and stores the files that a run needs. Rejects with the file or field
   * that is missing, damaged or not supported.
   */
  addModel(name: string, files: readonly PickedFile[]): Promise<AddedModel>;
  /** Deletes a model. Runs that train on it get a warning. */
  deleteModel(name: string): Promise<void>;
}
