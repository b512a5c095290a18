import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { AddedModel, KeptModel, PickedFile } from "../protocol/stored.ts";
import type { KeptModels, TrainingRun } from "./KeptModels.ts";

/**
 * The methods of {@link KeptModels}, whose code is loaded on demand so that the worker's start
 * does not load it.
 */
export class Models {
  readonly #files: FileStore;
  readonly #runs: () => Iterable<TrainingRun>;
  #kept: KeptModels | null = null;

  constructor(files: FileStore, runs: () => Iterable<TrainingRun>) {
    this.#files = files;
    this.#runs = runs;
  }

  async list(): Promise<readonly KeptModel[]> {
    return (await this.#opened()).list();
  }

  async add(folder: string, files: readonly PickedFile[]): Promise<AddedModel> {
    return (await this.#opened()).add(folder, files);
  }

  async remove(name: string): Promise<void> {
    await (await this.#opened()).remove(name);
  }

  async require(manifest: TrainingManifest): Promise<void> {
    await (await this.#opened()).require(manifest);
  }

  async #opened(): Promise<KeptModels> {
    const { KeptModels } = await import("./KeptModels.ts");
    this.#kept ??= new KeptModels(this.#files, this.#runs);
    return this.#kept;
  }
}
