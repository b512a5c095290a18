/** Models as ONNX, read by onnxruntime as transformers.js reads them. */
import path from "node:path";
import { expect, it } from "vitest";
import { WasmDevice } from "../../../src/kernels/index.ts";
import { GRPO, LanguageModel, LoraAdapter } from "../../../src/llm/index.ts";
import { type FileStore, memoryFileStore, StorageError } from "../../../src/storage/index.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import {
  drawnAdapter,
  drawnWeights,
  FAMILIES,
  writeAdapter,
  writeModel,
} from "../inside/support/smallModels.ts";
import { greedyTokens } from "../support/exportedModel.ts";
import { modelFolder } from "../support/modelFolder.ts";

const fixtures = nodeFileStore(path.join(import.meta.dirname, "..", "fixtures"));
const PROMPTS = [
  [3, 1, 4, 1, 5],
  [8, 7],
];
const COUNT = 20;

async function greedy(model: LanguageModel, adapter: LoraAdapter | null = null): Promise<number[][]> {
  const options = { prompts: PROMPTS, max_output_tokens: COUNT, temperature: 0, stop_tokens: [] };
  const { completions } = await model.generate({ ...options, adapter });
  return completions.map((ids) => [...ids]);
}

const text = async (store: FileStore, file: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await store.read(file)));

it.each(["llama", "llama with biases", "qwen2", "gpt2"])("writes the tokens of %s", async (family) => {
  const config = FAMILIES[family];
  if (!config) throw new Error(`no ${family}`);
  const store = memoryFileStore();
  await writeModel(store, "model", config, drawnWeights(config));
  const lora = { lora_r: 2, lora_alpha: 1, target_modules: "all-linear" as const };
  await writeAdapter(store, "adapter", config, lora, drawnAdapter(config, lora));
  const device = new WasmDevice();
  const model = await LanguageModel.load("model", { store, device });
  const adapter = await LoraAdapter.load("adapter", { store });
  const expected = await greedy(model, adapter);
  expect(expected).not.toEqual(await greedy(model));
  await model.exportOnnx("out", { store, adapter });
  expect(await greedyTokens(store, "out", PROMPTS, COUNT, model.config)).toEqual(expected);
  model.close();
  device.close();
});

const RECORDED = [
  "llama3",
  "qwen3",
  "smollm3",
  "gemma3",
  "mistral",
  "gemma2",
  "olmo2",
  "phi",
  "phi3",
  "dynamic",
];
it.each(RECORDED)("writes the tokens of %s, as acting on onnxruntime does", async (name) => {
  const store = memoryFileStore();
  const device = new WasmDevice();
  const model = await LanguageModel.load(name, { store: fixtures, device });
  const expected = await greedy(model);
  await model.exportOnnx("out", { store });
  expect(await greedyTokens(store, "out", PROMPTS, COUNT, model.config)).toEqual(expected);
  const acting = await LanguageModel.load(name, { store: fixtures, device, acting: "onnxruntime" });
  expect(await greedy(acting)).toEqual(expected);
  for (const one of [model, acting]) one.close();
});

it("exports a trained agent with its tokenizer and configs", async () => {
  const store = memoryFileStore();
  for (const [name, bytes] of modelFolder()) await store.write(`model/${name}`, bytes);
  await store.write("model/generation_config.json", new TextEncoder().encode('{"eos_token_id": [3, 4]}'));
  const actor_network = await LanguageModel.load("model", { store, device: new WasmDevice() });
  const agent = new GRPO({ actor_network, lr: 1e-3 });
  await agent.exportOnnx("out", { store });
  expect((await store.list("out")).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["config.json", "generation_config.json", "onnx", "tokenizer.json"]),
  );
  expect(await text(store, "out/config.json")).toMatchObject({
    model_type: "llama",
    "transformers.js_config": { use_external_data_format: true },
  });
  expect(await text(store, "out/generation_config.json")).toEqual({ eos_token_id: [3, 4] });
  expect(await greedyTokens(store, "out", PROMPTS, COUNT, actor_network.config)).toEqual(
    await greedy(actor_network),
  );
  agent.close();
  actor_network.close();
});

it("exports a built-in model that is trained whole", async () => {
  const store = memoryFileStore();
  const actor_network = await LanguageModel.load("rlkit/tiny-letters", { device: new WasmDevice() });
  const agent = new GRPO({ actor_network, lr: 1e-3 });
  await agent.exportOnnx("out", { store });
  const written = await greedyTokens(store, "out", PROMPTS, COUNT, actor_network.config);
  expect(written).toEqual(await greedy(actor_network));
  expect(await text(store, "out/generation_config.json")).toMatchObject({
    eos_token_id: actor_network.tokenizer.eos_token_id,
  });
  agent.close();
  actor_network.close();
});

it("leaves no model behind when the disk is full", async () => {
  const store = memoryFileStore();
  const full: FileStore = {
    ...store,
    append: async (file, bytes, expected) => {
      if ((expected ?? 0) > 0) throw new StorageError("full", file, "no room");
      return store.append(file, bytes, expected);
    },
  };
  const model = await LanguageModel.load("rlkit/tiny-digits", { device: new WasmDevice() });
  await expect(model.exportOnnx("out", { store: full })).rejects.toThrow("no room");
  expect(await store.list("out/onnx")).toEqual([]);
  model.close();
});
