/** A built-in model that was trained is a model folder once exported, with which the next manifest starts. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LanguageModel } from "../../../src/llm/index.ts";
import { defaultStore } from "../../../src/storage/files.ts";
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { LocalTrainer } from "../../../src/training/index.ts";
import { memberDirectory, writeMemberOnnx, writeMergedMember } from "../../../src/training/workloads.ts";

let [folder, store]: [string, FileStore] = ["", memoryFileStore()];
const at = (name: string): string => path.join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "built-in-"));
  store = await defaultStore();
});
afterEach(() => rm(folder, { recursive: true }));

const LORA = { lora_r: 2, lora_alpha: 2, target_modules: "all-linear" };

async function train(model: string, lora_config: object | null, out: string): Promise<string> {
  const trainer = await LocalTrainer.fromManifest(
    {
      algorithm: { name: "DPO", batch_size: 2, lr: 0.01 },
      environment: { env_type: "dataset", name: "polite", dataset: "rlkit/polite", objective: "preference" },
      network: { pretrained_model_name_or_path: model, max_context_length: 64, lora_config },
      training: { pop_size: 1, max_steps: 2, evo_steps: 1, evaluation_interval: 1 },
    } as never,
    { store, seed: 1 },
  );
  await trainer.train({ verbose: false, save_elite: true, elite_path: at(`${out}.safetensors`) });
  return at(`${out}.safetensors`);
}

it.each([
  ["whole", null],
  ["with an adapter", LORA],
])("a built-in model trained %s", async (_name, lora) => {
  const elite = await train("rlkit/tiny-letters", lora, "first");
  const bytes = await store.read(elite);
  await writeMergedMember(bytes, elite, store, at("merged"));
  await writeMemberOnnx(bytes, elite, store, at("onnx"));
  const read = async (name: string) => new TextDecoder().decode(await store.read(at(name)));
  expect(await read("onnx/tokenizer.json")).toBe(await read("merged/tokenizer.json"));
  expect(await read("onnx/tokenizer_config.json")).toContain('"pad_token": "<pad>"');
  const merged = await LanguageModel.load(at("merged"), { store });
  const base = await LanguageModel.load("rlkit/tiny-letters");
  expect(merged.tokenizer.encode("Hi, you?<eos>")).toEqual(base.tokenizer.encode("Hi, you?<eos>"));
  merged.close();
  base.close();
  await train(at("merged"), LORA, "second");
  if (lora !== null) return;
  for (const [name, content] of await memberDirectory(bytes, elite, store))
    await store.write(at(`dir/${name}`), content);
  await train(at("dir/actor"), LORA, "third");
});
