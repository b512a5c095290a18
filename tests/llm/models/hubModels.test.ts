/** Models of a hub on this machine: which are taken, which are refused before anything is loaded. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  deleteFetchedModel,
  fetchHubModel,
  LanguageModel,
  listFetchedModels,
  listHubModel,
} from "../../../src/llm/index.ts";
import { jsonBytes } from "../../../src/llm/models.ts";
import { decodeSafetensors, encodeSafetensors, memoryFileStore } from "../../../src/storage/index.ts";
import { FakeHub, TOKEN } from "../../hub/support/fakeHub.ts";
import { modelFolder } from "../support/modelFolder.ts";
import { TOKENIZER_CONFIG, tokenizerFiles } from "../support/tokenizerJson.ts";

const ID = "someone/small-llama";
let hub: FakeHub;
beforeAll(async () => {
  hub = await FakeHub.open();
});
beforeEach(() => {
  hub.clear();
  vi.stubEnv("HF_TOKEN", "");
});
afterAll(() => hub.close());

type Files = Map<string, Uint8Array>;

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
function offer(change: (files: Files) => void = () => undefined, gated = false): void {
  const files: Files = new Map([
    ...modelFolder(),
    ["README.md", text("# about")],
    ["pytorch_model.bin", new Uint8Array(5000)],
  ]);
  change(files);
  hub.repositories.set(`models/${ID}`, { files: Object.fromEntries(files), licence: "mit", gated });
}
const list = () => listHubModel(ID, { hub: hub.address });

/** The tensors of the only file as two files with an index. */
function split(files: Files): void {
  const { tensors } = decodeSafetensors(files.get("model.safetensors") ?? text(""), "");
  files.delete("model.safetensors");
  const entries = [...tensors];
  const [one, two] = [entries.slice(0, 5), entries.slice(5)];
  const names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] as const;
  files.set(names[0], encodeSafetensors(one)).set(names[1], encodeSafetensors(two));
  const weight_map = Object.fromEntries(entries.map(([name], i) => [name, i < 5 ? names[0] : names[1]]));
  files.set("model.safetensors.index.json", jsonBytes({ metadata: {}, weight_map }));
}

describe("a model of the hub", () => {
  it.each([
    ["in one file", () => undefined],
    ["in several files", split],
  ])("%s is listed, fetched without what is not needed, and loaded by its id", async (_name, change) => {
    offer(change);
    const store = memoryFileStore();
    const listing = await list();
    expect(listing).toMatchObject({ id: ID, licence: "mit", config: { family: "llama" } });
    expect(hub.loaded.filter((path) => path.endsWith(".safetensors"))).toEqual([]);
    expect(listing.files.map(({ path }) => path)).not.toContain("pytorch_model.bin");
    const folder = await fetchHubModel(listing, { hub: hub.address, store });
    expect(hub.loaded).not.toContain("README.md");
    const [byId, byFolder] = await Promise.all(
      [ID, folder].map((path) => LanguageModel.load(path, { store })),
    );
    const input = { input_ids: [[1, 2, 3]] };
    expect(await byId?.logits(input)).toEqual(await byFolder?.logits(input));
    expect(await listFetchedModels(store)).toMatchObject([{ id: ID, complete: true, bytes: listing.bytes }]);
    await deleteFetchedModel(ID, store);
    await expect(LanguageModel.load(ID, { store })).rejects.toThrow(
      `if "${ID}" is an id of the hub, fetch the model first (rlkit models fetch ${ID})`,
    );
  });

  it("comes after a folder with that path", async () => {
    offer();
    const store = memoryFileStore();
    await fetchHubModel(await list(), { hub: hub.address, store });
    await store.write(`${ID}/config.json`, text("{"));
    await expect(LanguageModel.load(ID, { store })).rejects.toThrow(`${ID}/config.json: is not valid JSON`);
  });

  const config = (change: object) => (files: Files) => {
    const own = JSON.parse(new TextDecoder().decode(files.get("config.json"))) as object;
    files.set("config.json", jsonBytes({ ...own, ...change }));
  };
  const without =
    (...names: string[]) =>
    (files: Files) => {
      for (const name of names) files.delete(name);
    };
  it.each<[string, (files: Files) => void, string | RegExp]>([
    ["experts", config({ num_local_experts: 8 }), /expert/],
    ["latent attention", config({ model_type: "deepseek_v3", kv_lora_rank: 8 }), /latent|kv_lora_rank/],
    ["a vision part", config({ vision_config: { hidden_size: 8 } }), /vision/],
    ["an unknown kind", config({ model_type: "mamba" }), /model_type.*mamba/],
    [
      "a config that is no JSON",
      (files) => files.set("config.json", text("{")),
      "config.json: is not valid JSON",
    ],
    ["weights of pickle only", without("model.safetensors"), "another format only (pytorch_model.bin)"],
    [
      "an index that names what is not there",
      (files) => (split(files), files.delete("model-00002-of-00002.safetensors")),
      "lacks model-00002-of-00002.safetensors, which model.safetensors.index.json names",
    ],
    ["no fast tokenizer", without("tokenizer.json"), "has no tokenizer.json; only fast tokenizers"],
    [
      "an adapter alone",
      (files) => (files.clear(), files.set("adapter_config.json", text("{}"))),
      "is an adapter without its model",
    ],
    ["GGUF", (files) => (files.clear(), files.set("model.Q4.gguf", text("x"))), "(model.Q4.gguf)"],
    ["nothing", (files) => files.clear(), "has no model (found no file)"],
  ])("with %s is refused by name before its weights are loaded", async (_name, change, message) => {
    offer(change);
    await expect(list()).rejects.toThrow(message);
    expect(hub.loaded.filter((path) => path.endsWith(".safetensors"))).toEqual([]);
  });

  it("that is gated says so, and lists with the token of a user with access", async () => {
    offer(() => undefined, true);
    await expect(list()).rejects.toThrow("is gated: its owner grants access to single users");
    expect(await listHubModel(ID, { hub: hub.address, token: TOKEN })).toMatchObject({ gated: true });
  });

  it("whose config lies about its tensors is refused when it is loaded", async () => {
    offer(config({ intermediate_size: 64 }));
    const store = memoryFileStore();
    const folder = await fetchHubModel(await list(), { hub: hub.address, store });
    await expect(LanguageModel.load(folder, { store })).rejects.toThrow(
      /has shape \[.*\], where config.json asks for/,
    );
  });

  it.each<[string, object, string]>([
    ["end", { ...TOKENIZER_CONFIG, eos_token: null }, "eos_token"],
    ["padding", { ...TOKENIZER_CONFIG, pad_token: null }, "is used for padding"],
  ])("without a token for the %s of texts is refused or warned of by name", async (_name, given, message) => {
    offer((files) => {
      for (const [name, bytes] of tokenizerFiles(given as typeof TOKENIZER_CONFIG)) files.set(name, bytes);
      files.delete("special_tokens_map.json");
    });
    const store = memoryFileStore();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const folder = await fetchHubModel(await list(), { hub: hub.address, store });
    const problem = await LanguageModel.load(folder, { store }).then(
      () => String(warn.mock.calls[0]),
      String,
    );
    expect(problem).toContain(message);
  });
});
