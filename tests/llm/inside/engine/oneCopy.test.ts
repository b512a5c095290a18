/** The weights of a folder's model are in memory once: on the device that uses them. */
import { expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { LanguageModel, SFT } from "../../../../src/llm/index.ts";
import { memoryFileStore } from "../../../../src/storage/index.ts";
import { LLAMA } from "../../support/configs.ts";
import { drawnWeights, writeModel } from "../support/smallModels.ts";

const BATCH = { input_ids: [[1, 2, 3]], attention_mask: [[1, 1, 1]], prompt_lengths: [1] };

it("moves a folder's weights to the device, where all agents share them", async () => {
  const store = memoryFileStore();
  await writeModel(store, "model", LLAMA, drawnWeights(LLAMA));
  const device = new WasmDevice();
  const actor_network = await LanguageModel.load("model", { store, device });
  const { weights } = actor_network.parts;
  const first = await actor_network.logits({ input_ids: [[1, 2]] });
  expect(weights.size).toBe(0);
  expect(await actor_network.logits({ input_ids: [[1, 2]] })).toEqual(first);

  const lora_config = { lora_r: 1, lora_alpha: 2, target_modules: ["q_proj"] };
  const agents = [0, 1].map((index) => new SFT({ actor_network, index, lora_config, lr: 1e-3 }));
  const losses: unknown[] = [];
  for (const agent of agents) losses.push((await agent.learn(BATCH)).loss);
  expect(losses[0]).toBe(losses[1]);
  for (const agent of agents) agent.close();
  actor_network.close();
  device.close();
});

it("leaves a built-in model's weights, which agents may train whole", async () => {
  const model = await LanguageModel.load("rlkit/tiny-digits", { device: new WasmDevice() });
  const { size } = model.parts.weights;
  await model.logits({ input_ids: [[1, 2]] });
  expect(model.parts.weights.size).toBe(size);
  model.close();
});
