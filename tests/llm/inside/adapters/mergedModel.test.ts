/** Merged models compute what base and adapter compute, for each family, in the types and files of the base. */
import { describe, expect, it } from "vitest";
import { LoraAdapter } from "../../../../src/llm/adapters/LoraAdapter.ts";
import { writeMerged } from "../../../../src/llm/adapters/mergedModel.ts";
import type { MergedAdapter } from "../../../../src/llm/adapters/mergedWeight.ts";
import { initialAdapter, tuningOfAdapter } from "../../../../src/llm/adapters/peftFiles.ts";
import { jsonBytes, storeFolder } from "../../../../src/llm/files/Folder.ts";
import { LanguageModel } from "../../../../src/llm/inference/LanguageModel.ts";
import type { ModelConfig } from "../../../../src/llm/models/ModelConfig.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import type { LoraSettings } from "../../../../src/llm/models.ts";
import { storageFull } from "../../../../src/storage/files.ts";
import {
  encodeSafetensors,
  type FileStore,
  memoryFileStore,
  readFloats,
  safetensorsHeader,
} from "../../../../src/storage/index.ts";
import { safetensorsOf } from "../../../storage/support/safetensorsOf.ts";
import { GPT2, LLAMA, PHI3, QWEN2 } from "../../support/configs.ts";
import { filesIn } from "../../support/filesIn.ts";
import { someTensors, type Tensors } from "../../support/weights.ts";

const lora: LoraSettings = { lora_r: 3, lora_alpha: 6, target_modules: "all-linear" };

/** Small values of both signs. */
const scattered = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => 0.8 * Math.sin(seed + 12.9898 * i));

function scatter(tensors: Tensors): Tensors {
  let seed = 0;
  return new Map(
    [...tensors].map(([name, { shape, data }]) => [name, { shape, data: scattered(data.length, ++seed) }]),
  );
}

function trained(config: ModelConfig): MergedAdapter {
  const tuning = tuningOfAdapter(config, lora);
  if (tuning.kind !== "adapter") throw new Error("it is an adapter");
  const fresh = initialAdapter(config, lora, { seed: 1, stream: "test" } as never);
  let seed = 100;
  return {
    ...tuning.adapter,
    weights: new Map([...fresh].map(([name, { length }]) => [name, scattered(length, ++seed)])),
  };
}

/** The file with its tensors in BF16, cut off. */
function inBrainFloats(file: Uint8Array): Uint8Array {
  const halves = safetensorsHeader(file, "").places.map((place) => {
    const bits = new Uint32Array(readFloats(file, place, "").buffer);
    const data = new Uint8Array(Uint16Array.from(bits, (word) => word >>> 16).buffer);
    return [place.name, { dtype: "BF16", shape: place.shape, data }] as const;
  });
  return safetensorsOf(Object.fromEntries(halves));
}

const input = { input_ids: [[1, 2, 3, 4, 5]] };
const apart = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);

/** A store with a model's folder, in one file or in two. */
async function baseOf(content: object, { brain = false, files = 1, bare = false } = {}) {
  const config = parseConfig(content);
  const store = memoryFileStore();
  // Hub files of GPT-2 lack the first part of the names.
  const named = [...scatter(someTensors(config))].map(
    ([name, tensor]) => [bare ? name.replace(/^transformer\./, "") : name, tensor] as const,
  );
  const inType = brain ? inBrainFloats : (file: Uint8Array) => file;
  const half = Math.ceil(named.length / files);
  const parts = Array.from({ length: files }, (_, i) => named.slice(i * half, (i + 1) * half));
  const names = files === 1 ? ["model.safetensors"] : parts.map((_, i) => `model-${i}.safetensors`);
  for (const [i, part] of parts.entries())
    await store.write(`base/${names[i]}`, inType(encodeSafetensors(part, { format: "pt" })));
  if (files > 1) {
    const weight_map = Object.fromEntries(parts.flatMap((part, i) => part.map(([name]) => [name, names[i]])));
    await store.write("base/model.safetensors.index.json", jsonBytes({ weight_map }));
  }
  await store.write("base/config.json", jsonBytes(content));
  await store.write("base/generation_config.json", jsonBytes({ eos_token_id: [1, 2] }));
  return { config, store };
}

async function adapterFor(config: ModelConfig, { weights }: MergedAdapter): Promise<LoraAdapter> {
  return LoraAdapter.of(config, { lora, base_model: "base", weights });
}

describe("a merged model", () => {
  it.each([
    ["Llama", LLAMA, {}, 1e-4],
    ["Qwen2, in two files", QWEN2, { files: 2 }, 1e-4],
    ["GPT-2, whose weights are transposed", GPT2, {}, 1e-4],
    ["GPT-2, as on the hub", GPT2, { bare: true }, 1e-4],
    ["Phi-3, whose projections are fused", PHI3, {}, 1e-4],
    ["Llama, in BF16", LLAMA, { brain: true }, 0.1],
  ])("of %s computes what base and adapter compute", async (_name, content, form, tolerance) => {
    const { config, store } = await baseOf(content, form);
    const adapter = trained(config);
    const names = await writeMerged(storeFolder(store, "base"), config, adapter, { store, dir: "merged" });
    expect(names.toSorted()).toEqual(await filesIn(store, "base"));
    expect(await filesIn(store, "merged")).toEqual(await filesIn(store, "base"));
    const [base, merged] = [
      await LanguageModel.load("base", { store }),
      await LanguageModel.load("merged", { store }),
    ];
    const plain = (await base.logits(input)).data;
    const adapted = (await base.logits({ ...input, adapter: await adapterFor(config, adapter) })).data;
    expect(apart(plain, adapted)).toBeGreaterThan(0.1);
    expect(apart((await merged.logits(input)).data, adapted)).toBeLessThan(tolerance);
    for (const name of names.filter((one) => one.endsWith(".safetensors"))) {
      const [own, other] = [await store.read(`merged/${name}`), await store.read(`base/${name}`)];
      expect(safetensorsHeader(own, "").places).toEqual(safetensorsHeader(other, "").places);
    }
  });

  it("of an adapter without effect has the base's bytes", async () => {
    const { config, store } = await baseOf(LLAMA, { brain: true });
    const adapter = trained(config);
    const none = {
      ...adapter,
      weights: new Map([...adapter.weights].map(([name, { length }]) => [name, new Float32Array(length)])),
    };
    await writeMerged(storeFolder(store, "base"), config, none, { store, dir: "merged" });
    for (const name of await filesIn(store, "base"))
      expect(await store.read(`merged/${name}`)).toEqual(await store.read(`base/${name}`));
  });

  it("of all weights has them in the base's tensors, also in a second copy of a tied one", async () => {
    const { config, store } = await baseOf(QWEN2);
    const file = await store.read("base/model.safetensors");
    const { places } = safetensorsHeader(file, "");
    const embedding = "model.embed_tokens.weight";
    const tensors = places.map(
      (place) => [place.name, { ...place, data: readFloats(file, place, "") }] as const,
    );
    const doubled = [
      ...tensors,
      ["lm_head.weight", new Map(tensors).get(embedding)] as (typeof tensors)[number],
    ];
    await store.write("base/model.safetensors", encodeSafetensors(doubled, { format: "pt" }));
    const learned = new Map(
      [...someTensors(config)].map(([name, { data }], i) => [name, scattered(data.length, i)]),
    );
    await writeMerged(storeFolder(store, "base"), config, learned, { store, dir: "merged" });
    const merged = await store.read("merged/model.safetensors");
    const found = safetensorsHeader(merged, "").places;
    expect(found).toHaveLength(doubled.length);
    for (const place of found)
      expect([place.name, readFloats(merged, place, "")]).toEqual([
        place.name,
        learned.get(place.name === "lm_head.weight" ? embedding : place.name),
      ]);
    (await LanguageModel.load("merged", { store })).close();
  });

  it("is not written over other files, nor in part", async () => {
    const { config, store } = await baseOf(LLAMA);
    const adapter = trained(config);
    const write = (to: FileStore, dir: string, own = adapter) =>
      writeMerged(storeFolder(store, "base"), config, own, { store: to, dir });
    await expect(write(store, "base")).rejects.toThrow(
      "base: is not empty (it has config.json); give a new directory",
    );
    const full: FileStore = {
      ...store,
      write: async (path, bytes) => {
        if (path === "merged/config.json") throw storageFull(path, bytes.length);
        return store.write(path, bytes);
      },
    };
    await expect(write(full, "merged")).rejects.toThrow("no room to write");
    expect(await store.exists("merged")).toBe(false);
    const lost = { ...adapter, weights: new Map([...adapter.weights].slice(1)) };
    await expect(write(store, "merged", lost)).rejects.toThrow(
      "the adapter has no matrices of rank 3 for this weight",
    );
    expect(await store.exists("merged")).toBe(false);
  });
});
