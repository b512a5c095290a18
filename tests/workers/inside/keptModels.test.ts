/**
 * Folders of base models in the workbench: checking, storing, listing, deleting, and passing them to runs.
 */
import { describe, expect, it } from "vitest";
import { loadModelParts, storeFolder } from "../../../src/llm/models.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { type FileStore, memoryFileStore, StorageError } from "../../../src/storage/index.ts";
import { modelFoldersOf } from "../../../src/training/workloads.ts";
import { KeptModels } from "../../../src/workers/files/KeptModels.ts";
import type { PickedFile } from "../../../src/workers/protocol.ts";
import { modelFolder } from "../../llm/support/modelFolder.ts";

/** A memory store that claims to be browser storage. */
const browserStore = (changes: Partial<FileStore> = {}): FileStore => ({
  ...memoryFileStore(),
  kind: "opfs",
  ...changes,
});

const picked = (files: ReadonlyMap<string, Uint8Array>): PickedFile[] =>
  [...files].map(([name, bytes]) => ({ name, content: new Blob([new Uint8Array(bytes)]) }));

const without = (...names: readonly string[]) =>
  picked(new Map([...modelFolder()].filter(([name]) => !names.includes(name))));

const modelsOn = (store: FileStore): KeptModels => new KeptModels(store, () => []);

const manifestOf = (model: string) =>
  parseManifestObject({
    algorithm: { name: "SFT", batch_size: 4, max_model_len: 32 },
    environment: { env_type: "dataset", name: "b", dataset: "rlkit/backwards", objective: "sft" },
    network: { pretrained_model_name_or_path: model, max_context_length: 32 },
    training: { pop_size: 1, max_steps: 8 },
  });

describe("a folder that a person picks", () => {
  it("is kept without what no run reads, listed with its size, and found by what a manifest calls it", async () => {
    const store = browserStore();
    const files = modelFolder();
    // No run reads the model's own text, but it names the licence.
    files.set("README.md", new Uint8Array(9));
    const extra = picked(new Map([...files, ["notes.txt", new Uint8Array(9)]]));
    const { model, warnings } = await modelsOn(store).add("my model", extra);
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    expect([model, warnings]).toEqual([{ name: "my-model", path: "models/my-model", bytes }, []]);
    expect(await modelsOn(store).list()).toEqual([model]);
    const names = (await store.list("/v1/models/my-model")).map(({ name }) => name);
    expect(names.sort()).toEqual([...files.keys()].sort());
    const parts = await loadModelParts("models/my-model", modelFoldersOf(store));
    expect([parts.config.family, parts.built_in]).toEqual(["llama", false]);
  });

  it.each([
    ["no config", without("config.json"), "tiny/config.json: no such file"],
    ["no weights", without("model.safetensors"), "tiny/model.safetensors: no such file"],
    ["no tokenizer", without("tokenizer.json"), "tiny/tokenizer.json: no such file"],
    [
      "a tensor that is missing",
      picked(modelFolder((tensors) => tensors.delete("model.norm.weight"))),
      "tiny/model.safetensors: lacks model.norm.weight",
    ],
    [
      "a file that is cut off",
      picked(
        new Map(
          [...modelFolder()].map(([name, all]) => [name, name.endsWith("s") ? all.slice(0, 999) : all]),
        ),
      ),
      "tiny/model.safetensors",
    ],
  ])("with %s is refused by the name of the file, and leaves nothing", async (_, files, message) => {
    const store = browserStore();
    await expect(modelsOn(store).add("tiny", files)).rejects.toThrow(message);
    expect(await store.list("/v1/models")).toEqual([]);
  });

  it("is refused where it cannot be read any more", async () => {
    const gone = { arrayBuffer: () => Promise.reject(new Error("the file was moved")) };
    // The only method that is called.
    const files = [{ name: "config.json", content: gone as unknown as Blob }];
    await expect(modelsOn(browserStore()).add("tiny", files)).rejects.toThrow(
      "tiny/config.json: the file was moved; pick the folder again",
    );
  });

  it("is refused under a name that is taken, and in a browser that keeps nothing", async () => {
    const models = modelsOn(browserStore());
    await models.add("tiny", picked(modelFolder()));
    await expect(models.add("tiny", picked(modelFolder()))).rejects.toThrow(
      "models/tiny: a model with this name exists",
    );
    await expect(modelsOn(memoryFileStore()).add("tiny", picked(modelFolder()))).rejects.toThrow(
      "provides no storage",
    );
  });

  it("leaves nothing where there is no room for it, and takes the place of one that was cut off", async () => {
    const memory = memoryFileStore();
    const full = browserStore({
      ...memory,
      write: async (path, bytes) => {
        if (path.endsWith("config.json") && !path.includes("tokenizer"))
          throw new StorageError("full", path, "no room to write");
        await memory.write(path, bytes);
      },
      kind: "opfs",
    });
    await expect(modelsOn(full).add("tiny", picked(modelFolder()))).rejects.toThrow("no room to write");
    expect(await memory.list("/v1/models/tiny")).toEqual([]);
    const store = browserStore(memory);
    const models = modelsOn({ ...store, kind: "opfs" });
    await memory.write("/v1/models/tiny/stray.safetensors", new Uint8Array(4));
    expect(await models.list()).toEqual([]);
    await models.add("tiny", picked(modelFolder()));
    expect(await memory.exists("/v1/models/tiny/stray.safetensors")).toBe(false);
  });
});

describe("a model that is deleted", () => {
  it("is gone, and the runs that train it are told", async () => {
    const told: string[] = [];
    const run = (model: string) => ({
      manifest: manifestOf(model),
      notice: (level: string, message: string) => void told.push(`${level}: ${message}`),
    });
    const models = new KeptModels(browserStore(), () => [run("models/tiny"), run("rlkit/tiny-letters")]);
    await models.add("tiny", picked(modelFolder()));
    await models.remove("tiny");
    expect(await models.list()).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^warning: models\/tiny was deleted, .* add the folder again\.$/),
    ]);
  });

  it("keeps a run that asks for it from starting, with what there is", async () => {
    const models = modelsOn(browserStore());
    await models.require(manifestOf("rlkit/tiny-letters"));
    await expect(models.require(manifestOf("models/tiny"))).rejects.toThrow(
      'network.pretrained_model_name_or_path: found "models/tiny", which is not stored in this browser; allowed: rlkit/tiny-digits, rlkit/tiny-letters.',
    );
    await models.add("tiny", picked(modelFolder()));
    await models.require(manifestOf("models/tiny"));
  });
});

describe("a base model's path", () => {
  it("is that of the disk in Node, and of what is kept in a browser", async () => {
    const paths = async (kind: FileStore["kind"]) => {
      const folders = ["models/a", "models/a/b", "other/a"].map(
        modelFoldersOf({ ...memoryFileStore(), kind }),
      );
      return (await Promise.all(folders)).map(({ path }) => path);
    };
    expect(await paths("disk")).toEqual(["models/a", "models/a/b", "other/a"]);
    expect(await paths("opfs")).toEqual(["/v1/models/a", "models/a/b", "other/a"]);
    expect(storeFolder(memoryFileStore(), "models/a").path).toBe("models/a");
  });
});
