/** Folders of base models that this browser keeps: what the page asks of the coordinator. All plain data. */

export interface KeptModel {
  readonly name: string;
  /** What a manifest calls it, as `pretrained_model_name_or_path`. */
  readonly path: string;
  /** On disk. */
  readonly bytes: number;
}

/** One file of a folder that a person picked. */
export interface PickedFile {
  /** Without the folder's. */
  readonly name: string;
  readonly content: Blob;
}

export interface AddedModel {
  readonly model: KeptModel;
  /** What its owner should know. */
  readonly warnings: readonly string[];
}

export interface ModelCalls {
  /** The models that are kept, by name. */
  listModels(): Promise<readonly KeptModel[]>;
  /**
   * Checks a folder as a run reads it, and keeps the files that a run needs. Rejects with the file or the field that is
   * missing, damaged or not supported.
   */
  addModel(name: string, files: readonly PickedFile[]): Promise<AddedModel>;
  /** Runs that train on it are told. */
  deleteModel(name: string): Promise<void>;
}
