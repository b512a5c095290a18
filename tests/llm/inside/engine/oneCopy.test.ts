/** The weights of a folder's model are in memory once: on the device that uses them. */
import { expect, it } from "vitest";
import { sharedHeap } from "../../../../src/kernels/devices.ts";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { LanguageModel, SFT } from "../../../../src/llm/index.ts";
import { type FileStore, memoryFileStore } from "../../../../src/storage/index.ts";
import { LLAMA } from "../../support/configs.ts";
import { drawnWeights, writeModel } from "../support/smallModels.ts";

const BATCH = { input_ids: [[1, 2, 3]], attention_mask: [[1, 1, 1]], prompt_lengths: [1] };

/** A store with a model, whose weights are never read as a whole. */
async function storeWithModel(): Promise<FileStore> {
  const store = memoryFileStore();
  await writeModel(store, "model", LLAMA, drawnWeights(LLAMA));
  return {
    ...store,
    read: async (path) => {
      if (path.endsWith(".safetensors")) throw new Error(`${path} was read as a whole`);
      return store.read(path);
    },
  };
}

it("reads a folder's weights to the device, where all agents share them", async () => {
  const device = new WasmDevice();
  const actor_network = await LanguageModel.load("model", { store: await storeWithModel(), device });
  const loaded = device.bytes;
  expect(actor_network.parts.weights.size).toBe(0);
  await actor_network.logits({ input_ids: [[1, 2]] });

  const lora_config = { lora_r: 1, lora_alpha: 2, target_modules: ["q_proj"] };
  const agents = [0, 1].map((index) => new SFT({ actor_network, index, lora_config, lr: 1e-3 }));
  const losses: unknown[] = [];
  for (const agent of agents) losses.push((await agent.learn(BATCH)).loss);
  expect(losses[0]).toBe(losses[1]);
  for (const agent of agents) agent.close();
  actor_network.close();
  expect(device.bytes).toBeLessThan(loaded);
  device.close();
});

it("gives the device's memory back if the files cannot be read", async () => {
  const device = new WasmDevice();
  const store = await storeWithModel();
  const blob: FileStore["blob"] = async (path) => {
    const file = await store.blob(path);
    const slice: typeof file.slice = (start = 0, end = file.size) => {
      // The headers can be read.
      if (start > 0) throw new Error("the disk is gone");
      return file.slice(start, end);
    };
    return { size: file.size, arrayBuffer: () => file.arrayBuffer(), slice };
  };
  const loading = LanguageModel.load("model", { store: { ...store, blob }, device });
  await expect(loading).rejects.toThrow("the disk is gone");
  expect(device.bytes).toBe(0);
});

it("says what it needed, what it found and what to lower if memory is refused", async () => {
  const heap = sharedHeap();
  const pages = 65_536 - (heap?.memory.buffer.byteLength ?? 0) / 65_536;
  heap?.memory.grow(pages);
  const loading = LanguageModel.load("model", {
    store: await storeWithModel(),
    device: new WasmDevice(heap ?? undefined),
  });
  await expect(loading).rejects.toThrow(
    /out of memory: needed 4097 MiB, found 4096 MiB; .*language model: use weight_storage "q8", a lower max_model_len/,
  );
});

it("leaves a built-in model's weights, which agents may train whole", async () => {
  const model = await LanguageModel.load("rlkit/tiny-digits", { device: new WasmDevice() });
  const { size } = model.parts.weights;
  await model.logits({ input_ids: [[1, 2]] });
  expect(model.parts.weights.size).toBe(size);
  model.close();
});
