import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../../../src/llm/files/Folder.ts";
import { type LoadedModel, loadModel, modelFiles } from "../../../../src/llm/models/modelFiles.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import { memoryFolder, storeFolder } from "../../../../src/llm/models.ts";
import { encodeSafetensors, memoryFileStore, type StoredTensor } from "../../../../src/storage/index.ts";
import { safetensorsOf } from "../../../storage/support/safetensorsOf.ts";
import { GPT2, LLAMA, PHI, PHI3, QWEN2 } from "../../support/configs.ts";
import { folderFiles, someTensors, type Tensors } from "../../support/weights.ts";

const load = (files: Map<string, Uint8Array>): Promise<LoadedModel> => loadModel(memoryFolder(files, "m"));

const dataOf = (tensors: Tensors) =>
  new Map([...tensors].map(([name, { data }]) => [name, Float32Array.from(data)]));

/** A folder's files whose tensors are changed before they are written. */
function changed(json: object, change: (tensors: Tensors) => void): Map<string, Uint8Array> {
  const tensors = someTensors(parseConfig(json));
  change(tensors);
  return folderFiles(json, tensors);
}

const zeros = (...shape: number[]): StoredTensor => ({
  shape,
  data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
});

describe("loadModel", () => {
  it.each([
    ["llama", LLAMA],
    ["qwen2", QWEN2],
    ["gpt2", GPT2],
  ])("reads a %s from a directory of a store", async (family, json) => {
    const tensors = someTensors(parseConfig(json));
    const store = memoryFileStore();
    for (const [name, bytes] of folderFiles(json, tensors)) await store.write(`models/m/${name}`, bytes);
    const { config, weights } = await loadModel(storeFolder(store, "models/m"));
    expect(config.family).toBe(family);
    expect([...weights]).toEqual([...dataOf(tensors)]);
  });

  it("reads weights of two bytes as the numbers they stand for", async () => {
    const tensors = someTensors(parseConfig(LLAMA));
    const upper = Object.fromEntries(
      [...tensors].map(([name, { shape, data }]) => {
        const halves = Uint16Array.from(new Uint32Array(data.buffer), (bits) => bits >>> 16);
        return [name, { dtype: "BF16", shape, data: new Uint8Array(halves.buffer) }];
      }),
    );
    const files = folderFiles(LLAMA, tensors).set("model.safetensors", safetensorsOf(upper));
    const { weights } = await load(files);
    for (const [name, { data }] of tensors) {
      const cut = new Float32Array(new Uint32Array(data.buffer).map((bits) => bits & 0xffff0000).buffer);
      expect(weights.get(name)).toEqual(cut);
    }
  });

  it("reads a model in parts, in the order of its layers", async () => {
    const [files, tensors] = inParts();
    expect([...(await load(files)).weights]).toEqual([...dataOf(tensors)]);
  });

  it("reads GPT-2 as hubs have it: without prefix, with buffers of masks", async () => {
    const tensors = someTensors(parseConfig(GPT2));
    const hub: Tensors = new Map(
      [...tensors].map(([name, tensor]) => [name.replace("transformer.", ""), tensor]),
    );
    hub.set("h.0.attn.bias", zeros(1, 1, 32, 32)).set("h.1.attn.masked_bias", zeros());
    expect((await load(folderFiles(GPT2, hub))).weights).toEqual(dataOf(tensors));
  });

  it("reads a Llama that was saved without its head's prefix, with buffers of wavelengths", async () => {
    const tensors = someTensors(parseConfig(QWEN2));
    const bare: Tensors = new Map([...tensors].map(([name, tensor]) => [name.slice(6), tensor]));
    bare.set("layers.0.self_attn.rotary_emb.inv_freq", zeros(2));
    expect((await load(folderFiles(QWEN2, bare))).weights).toEqual(dataOf(tensors));
  });

  it("leaves a tied output layer out, and refuses one that differs from the embedding", async () => {
    const tied = changed(QWEN2, (tensors) => {
      tensors.set("lm_head.weight", tensors.get("model.embed_tokens.weight") ?? zeros());
    });
    expect((await load(tied)).weights.has("lm_head.weight")).toBe(false);
    const untied = changed(QWEN2, (tensors) => tensors.set("lm_head.weight", zeros(11, 8)));
    await expect(load(untied)).rejects.toThrow(
      /m\/model\.safetensors: "lm_head\.weight" differs .* tie_word_embeddings/,
    );
  });

  it.each<[string, object, (tensors: Tensors) => void, RegExp]>([
    [
      "a missing tensor",
      LLAMA,
      (tensors) => tensors.delete("model.layers.1.mlp.up_proj.weight"),
      /m\/model\.safetensors: lacks model\.layers\.1\.mlp\.up_proj\.weight, which config\.json asks for/,
    ],
    [
      "many missing tensors, of which it names five",
      LLAMA,
      (tensors) => tensors.clear(),
      /lacks model\.embed_tokens\.weight, .* and 16 more/,
    ],
    [
      "a surplus tensor",
      LLAMA,
      (tensors) => tensors.set("model.layers.2.mlp.up_proj.weight", zeros(12, 8)),
      /has "model\.layers\.2\.mlp\.up_proj\.weight", which a model with this config\.json does not have/,
    ],
    [
      "a bias that the config has not",
      LLAMA,
      (tensors) => tensors.set("model.layers.0.self_attn.q_proj.bias", zeros(8)),
      /has "model\.layers\.0\.self_attn\.q_proj\.bias"/,
    ],
    [
      "a tensor of another shape",
      LLAMA,
      (tensors) => tensors.set("model.layers.0.self_attn.k_proj.weight", zeros(8, 8)),
      /"model\.layers\.0\.self_attn\.k_proj\.weight" has shape \[8, 8\], where config\.json asks for \[4, 8\]/,
    ],
    [
      "a turned tensor of as many elements",
      GPT2,
      (tensors) => tensors.set("transformer.h.0.attn.c_attn.weight", zeros(24, 8)),
      /has shape \[24, 8\], where config\.json asks for \[8, 24\]/,
    ],
    [
      "integers for weights",
      LLAMA,
      (tensors) => tensors.set("model.norm.weight", { shape: [8], data: new Int32Array(8) }),
      /"model\.norm\.weight" is I32, allowed F32, F16, BF16, F64/,
    ],
    [
      "one weight under two names",
      GPT2,
      (tensors) => tensors.set("wpe.weight", zeros(32, 8)),
      /has "transformer\.wpe\.weight" twice/,
    ],
  ])("refuses %s", async (_, json, change, message) => {
    await expect(load(changed(json, change))).rejects.toThrow(message);
  });

  it("refuses a folder without config, without weights, or with a file cut short", async () => {
    const files = changed(LLAMA, () => {});
    const without = (name: string) => new Map([...files].filter(([file]) => file !== name));
    await expect(load(without("config.json"))).rejects.toThrow(
      /m\/config\.json: no such file; a folder that transformers saved has one; check the path/,
    );
    await expect(loadModel(memoryFolder(new Map(), "owner/Model-1.5B"))).rejects.toThrow(
      'if "owner/Model-1.5B" is an id of the hub, fetch the model first (rlkit models fetch owner/Model-1.5B)',
    );
    await expect(load(without("model.safetensors"))).rejects.toThrow(
      /m\/model\.safetensors: no such file; .*model\.safetensors\.index\.json/,
    );
    const cut = files.get("model.safetensors")?.slice(0, -4) ?? new Uint8Array(0);
    await expect(load(new Map(files).set("model.safetensors", cut))).rejects.toThrow(
      /m\/model\.safetensors: .*truncated/,
    );
    await expect(load(new Map(files).set("config.json", new Uint8Array([0x7b])))).rejects.toThrow(
      /m\/config\.json: is not valid JSON/,
    );
    await expect(load(new Map(files).set("config.json", new Uint8Array([0xff])))).rejects.toThrow(
      /m\/config\.json: is not UTF-8/,
    );
  });

  it("refuses parts that are missing, or do not have what the index says", async () => {
    const [files, tensors] = inParts();
    const absent = new Map(files);
    absent.delete("model-2.safetensors");
    await expect(load(absent)).rejects.toThrow(
      /m\/model-2\.safetensors: no such file; which .*index\.json names/,
    );
    const swapped = new Map(files).set("model-2.safetensors", encodeSafetensors(tensors));
    await expect(load(swapped)).rejects.toThrow(
      /m\/model-2\.safetensors: has "model\.layers\.1\.input_layernorm\.weight"/,
    );
    const empty = new Map(files).set("model-2.safetensors", encodeSafetensors([]));
    await expect(load(empty)).rejects.toThrow(/m\/model-2\.safetensors: lacks "/);
    const outside = new Map(files).set(
      "model.safetensors.index.json",
      jsonBytes({ weight_map: { "model.norm.weight": "../secret" } }),
    );
    await expect(load(outside)).rejects.toThrow(/index\.json: weight_map.*allowed names of files/);
  });
});

/** A Llama in two parts, the later layers in the first of them. */
function inParts(): [Map<string, Uint8Array>, Tensors] {
  const tensors = someTensors(parseConfig(LLAMA));
  const [early, late] = [false, true].map((isLate) =>
    [...tensors].filter(([name]) => name.startsWith("model.layers.1") === isLate),
  );
  const parts = { "model-1.safetensors": late ?? [], "model-2.safetensors": early ?? [] };
  const weight_map = Object.fromEntries(
    Object.entries(parts).flatMap(([file, entries]) => entries.map(([name]) => [name, file])),
  );
  const files = new Map([
    ["config.json", jsonBytes(LLAMA)],
    ["model.safetensors.index.json", jsonBytes({ metadata: { total_size: 1 }, weight_map })],
    ...Object.entries(parts).map(([file, entries]) => [file, encodeSafetensors(entries)] as const),
  ]);
  return [files, tensors];
}

describe("modelFiles", () => {
  it.each([LLAMA, QWEN2, PHI, PHI3, GPT2])("are what loadModel reads, bit by bit", async (json) => {
    const config = parseConfig(json);
    const weights = dataOf(someTensors(config));
    const read = await load(modelFiles(config, weights));
    expect(read.config).toEqual(config);
    expect([...read.weights]).toEqual([...weights]);
  });

  it("has the tokens in the config", () => {
    const config = parseConfig(LLAMA);
    const tokens = { bos_token_id: null, eos_token_id: 6, pad_token_id: 5 };
    const bytes = modelFiles(config, dataOf(someTensors(config)), tokens).get("config.json");
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject(tokens);
  });

  it("has caps with a point, because transformers 5 takes no others", () => {
    const config = parseConfig({ ...LLAMA, model_type: "gemma2", head_dim: 4 });
    const bytes = modelFiles(config, dataOf(someTensors(config))).get("config.json");
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain('"attn_logit_softcapping": 50.0,');
    expect(text).toContain('"final_logit_softcapping": 30.0,');
  });

  it("refuses weights that are not the config's", () => {
    const config = parseConfig(LLAMA);
    const weights = dataOf(someTensors(config));
    expect(() => modelFiles(config, new Map())).toThrow(/no weights of "model\.embed_tokens\.weight"/);
    expect(() => modelFiles(config, weights.set("model.norm.weight", new Float32Array(3)))).toThrow(
      /model\.norm\.weight: has 3 elements for shape \[8\]/,
    );
  });
});
