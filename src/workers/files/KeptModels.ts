/** Folders of base models in browser storage. */
import { cachedRepository, hubIdOf, listCached, removeCached } from "../../hub/index.ts";
import type { Folder } from "../../llm/models.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { TEXT_MODELS } from "../../specs/sections.ts";
import { reasonOf, serialiser } from "../../storage/files.ts";
import { type FileStore, joinPath, StorageError } from "../../storage/index.ts";
import { llmPlanOf, MODELS_DIRECTORY, modelPath, trainsLanguageModel } from "../../training/workloads.ts";
import type { Notice } from "../protocol/runs.ts";
import type { AddedModel, KeptModel, PickedFile } from "../protocol/stored.ts";

/** The file that makes a folder a model. It is written last, so that an interrupted copy is not a model. */
const CONFIG = "config.json";

/** The parts of a run that decide which models are in use. */
export interface TrainingRun {
  readonly manifest: TrainingManifest;
  notice(level: Notice["level"], message: string): void;
}

/** A manifest's base model; null if it trains no language model. */
const baseModelOf = (manifest: TrainingManifest): string | null =>
  trainsLanguageModel(manifest) ? llmPlanOf(manifest).model : null;

/** A folder name converted to a name that every store accepts. */
const plainName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 128) || "model";

const directoryOf = (name: string): string => joinPath(MODELS_DIRECTORY, name);

/** The files that the user picked, as a folder. */
const pickedFolder = (path: string, files: readonly PickedFile[]): Folder => ({
  path,
  openFile: async (name) => files.find((picked) => picked.name === name)?.content ?? null,
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

export class KeptModels {
  readonly #files: FileStore;
  readonly #runs: () => Iterable<TrainingRun>;
  readonly #serially = serialiser();

  /** @param runs Returns the runs in memory. */
  constructor(files: FileStore, runs: () => Iterable<TrainingRun>) {
    this.#files = files;
    this.#runs = runs;
  }

  async list(): Promise<readonly KeptModel[]> {
    const found: KeptModel[] = [];
    for (const { name, kind } of await this.#files.list(MODELS_DIRECTORY)) {
      const model = kind === "directory" ? await this.#find(name) : null;
      if (model) found.push(model);
    }
    for (const { id, bytes, complete } of await listCached("model", this.#files))
      found.push({ name: id, path: id, bytes, ...(!complete && { incomplete: true }) });
    return found;
  }

  /** @throws StorageError or SpecError naming the file and its problem; Error if nothing can be stored. */
  add(folder: string, files: readonly PickedFile[]): Promise<AddedModel> {
    const name = plainName(folder);
    const directory = directoryOf(name);
    return this.#serially(name, async () => {
      if (this.#files.kind === "memory")
        throw new Error(
          "models: this browser provides no storage for models; use a normal window over https",
        );
      if (await this.#find(name))
        throw new Error(`${modelPath(name)}: a model with this name exists; delete it, or rename the folder`);
      // Loaded on demand, so that the worker's start does not load the model and tokeniser readers.
      const { checkModelFolder } = await import("./parts/modelFolders.ts");
      const picked = pickedFolder(folder, files);
      const { files: needed, warnings } = await checkModelFolder(picked);
      await this.#files.remove(directory);
      try {
        for (const file of [...needed.filter((one) => one !== CONFIG), CONFIG]) {
          const bytes = await picked.readFile(file);
          if (bytes) await this.#files.write(joinPath(directory, file), bytes);
        }
      } catch (error) {
        await this.#files.remove(directory);
        throw error;
      }
      const model = await this.#find(name);
      if (!model) throw new Error(`${modelPath(name)}: it was deleted while it was added`);
      return { model, warnings };
    });
  }

  remove(name: string): Promise<void> {
    return this.#serially(name, async () => {
      const ofHub = hubIdOf(name) !== null;
      if (ofHub) await removeCached("model", name, this.#files);
      else {
        // The config is removed first, so that an interrupted removal leaves no model.
        await this.#files.remove(joinPath(directoryOf(name), CONFIG));
        await this.#files.remove(directoryOf(name));
      }
      const path = ofHub ? name : modelPath(name);
      for (const run of this.#runs()) {
        if (baseModelOf(run.manifest) !== path) continue;
        run.notice(
          "warning",
          `${path} was deleted, the model that this run trains. Training continues with the copy in memory; to resume the run later, add ${ofHub ? "it" : "the folder"} again.`,
        );
      }
    });
  }

  /** @throws Error naming the field, for a manifest whose base model is not stored. */
  async require(manifest: TrainingManifest): Promise<void> {
    const model = baseModelOf(manifest);
    if (model !== null && hubIdOf(model) !== null) {
      if (await cachedRepository({ kind: "model", id: model, part: null }, this.#files)) return;
      throw new Error(
        `network.pretrained_model_name_or_path: found "${model}", a model of the Hugging Face hub that is not stored in this browser. Download it on the Storage page, which shows its size and licence first`,
      );
    }
    if (model === null || !model.startsWith(modelPath(""))) return;
    const kept = await this.list();
    if (kept.some(({ path }) => path === model)) return;
    const allowed = [...TEXT_MODELS, ...kept.map(({ path }) => path)].join(", ");
    throw new Error(
      `network.pretrained_model_name_or_path: found "${model}", which is not stored in this browser; allowed: ${allowed}. Add the model's folder on the Storage page`,
    );
  }

  /** Null if there is no model or it is incomplete. */
  async #find(name: string): Promise<KeptModel | null> {
    const files = await this.#files.list(directoryOf(name));
    if (!files.some((file) => file.name === CONFIG)) return null;
    return { name, path: modelPath(name), bytes: files.reduce((sum, { size }) => sum + size, 0) };
  }
}
