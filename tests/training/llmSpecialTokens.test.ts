/** Special tokens of raw text in runs, and in runs of versions that did not add them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  commitCheckpoint,
  type FileStore,
  memoryFileStore,
  readCheckpoint,
} from "../../src/storage/index.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { modelFolder } from "../llm/support/modelFolder.ts";
import { TOKENIZER_CONFIG, TOKENIZER_JSON, tokenizerFiles } from "../llm/support/tokenizerJson.ts";
import type { Tensors } from "../llm/support/weights.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "special-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (files: ReadonlyMap<string, Uint8Array>): Promise<void> => {
  for (const [name, bytes] of files) await writeFile(path.join(folder, name), bytes);
};
/** Weights for which earlier tokens matter. */
function scatter(tensors: Tensors): void {
  for (const { data } of tensors.values())
    for (const i of data.keys()) data[i] = 0.3 * Math.sin(1 + 12.9898 * i);
}
/** The model's tokenizer, with a token before each text or without. */
const writeTokenizer = (adds: boolean): Promise<void> =>
  write(
    tokenizerFiles(TOKENIZER_CONFIG, adds ? TOKENIZER_JSON : { ...TOKENIZER_JSON, post_processor: null }),
  );

async function run(max_steps: number, store: FileStore, from?: string): Promise<readonly number[]> {
  await writeFile(path.join(folder, "rows.jsonl"), '{"prompt":"the","response":"and"}\n'.repeat(20));
  const manifest = {
    algorithm: { name: "SFT", batch_size: 2, lr: 0.01 },
    environment: { env_type: "dataset", objective: "sft", dataset_path: path.join(folder, "rows.jsonl") },
    network: { pretrained_model_name_or_path: folder, max_context_length: 16, lora_config: { lora_r: 2 } },
    training: { pop_size: 1, max_steps, evaluation_interval: 1, hpo: false },
  };
  const trainer = await LocalTrainer.fromManifest(manifest as never, {
    store,
    seed: 3,
    ...(from === undefined ? {} : { resume_from_checkpoint: from }),
  });
  const [, fitnesses] = await trainer.train({
    verbose: false,
    checkpoint_steps: 1,
    checkpoint_path: "run",
  });
  return fitnesses;
}

it("a run that began without them goes on without them; a new run has them, and keeps them", async () => {
  await write(modelFolder(scatter));
  await writeTokenizer(false);
  const store = memoryFileStore();
  const bare = await run(8, memoryFileStore());
  await run(4, store);
  const { files, commit } = await readCheckpoint(store, "run_4");
  const { special_tokens, ...record } = JSON.parse(new TextDecoder().decode(files.get("run.json")));
  expect(special_tokens).toBe(true);
  const older = new TextEncoder().encode(JSON.stringify(record));
  await commitCheckpoint(store, "older_4", new Map([...files, ["run.json", older]]), commit);

  await writeTokenizer(true);
  const full = await run(8, memoryFileStore());
  expect(full).not.toEqual(bare);
  expect(await run(8, store, "older_4")).toEqual(bare);
  const half = memoryFileStore();
  await run(4, half);
  expect(await run(8, half, "run_4")).toEqual(full);
  // Going on a second time keeps it too.
  const again = memoryFileStore();
  await commitCheckpoint(again, "older_4", new Map([...files, ["run.json", older]]), commit);
  await run(6, again, "older_4");
  expect(await run(8, again, "run_6")).toEqual(bare);
});
