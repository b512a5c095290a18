/**
 * `npx tsx bench/largeLanguageModel.ts [--folder DIR] [--measure load|decode|learn|rollout]... [--rows N] [--tokens N]
 * [--storage f32|f16|q8]`: CPU time and peak memory of a model of SmolLM2-135M's sizes with random weights, in one thread.
 * Each measure is best run in a process of its own, since the peak is the process's.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { GRPO, type LanguageAgentOptions, LanguageModel, SFT } from "../src/llm/index.ts";
import { machineNote } from "./harness/machine.ts";
import { largeLanguageModel } from "./subjects/largeLanguageModel.ts";

const MEASURES = ["load", "decode", "learn", "rollout"] as const;

const { values: options } = parseArgs({
  options: {
    folder: { type: "string", default: join(tmpdir(), "rlkit-large-language-model") },
    measure: { type: "string", multiple: true, default: [...MEASURES] },
    /** Sequences of a batch. */
    rows: { type: "string", default: "1" },
    /** Generated tokens, or length of the sequences that are learnt. */
    tokens: { type: "string", default: "32" },
    /** How weights are kept. */
    storage: { type: "string", default: "f32" },
  },
});
const weight_storage = z.enum(["f32", "f16", "q8"]).parse(options.storage);
const [rows, tokens] = [Number(options.rows), Number(options.tokens)];

const milliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const peak = (): string => `peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`;

async function timed<T>(name: string, per: number, work: () => Promise<T>): Promise<T> {
  const start = milliseconds();
  const result = await work();
  console.log(`${name}: ${((milliseconds() - start) / per).toFixed(1)} ms, ${peak()}`);
  return result;
}

const promptOf = (row: number, length: number): number[] =>
  Array.from({ length }, (_, i) => (7919 * (row + 1) + 104_729 * i) % 49_152);

largeLanguageModel(options.folder);
console.log(machineNote());
const model = await timed("load", 1, async () => {
  const loaded = await LanguageModel.load(options.folder, { max_model_len: 1024, weight_storage });
  await loaded.logits({ input_ids: [[1]] });
  return loaded;
});
if (options.measure.includes("decode")) {
  const prompts = Array.from({ length: rows }, (_, row) => promptOf(row, 16));
  const generate = (max_output_tokens: number) =>
    model.generate({ prompts, max_output_tokens, temperature: 0, stop_tokens: [] });
  await timed(`first token of ${rows} rows, with the program's compilation`, 1, () => generate(1));
  for (let pass = 0; pass < 3; pass++) {
    const before = milliseconds();
    await generate(1);
    const first = milliseconds() - before;
    const start = milliseconds();
    await generate(tokens + 1);
    const each = (milliseconds() - start - first) / tokens;
    console.log(`decode ${rows} rows: ${each.toFixed(1)} ms a token of each row, ${peak()}`);
  }
}
if (options.measure.includes("learn")) {
  const fields = {
    batch_size: rows,
    micro_batch_size_per_gpu: rows,
    max_model_len: Math.max(tokens, 32),
    lora_config: { lora_r: 16, target_modules: "all-linear" },
  } satisfies Partial<LanguageAgentOptions<"SFT">>;
  const agent = new SFT({ actor_network: model, lr: 1e-4, ...fields });
  const input_ids = Array.from({ length: rows }, (_, row) => promptOf(row, tokens));
  const batch = {
    input_ids,
    attention_mask: input_ids.map((ids) => ids.map(() => 1)),
    prompt_lengths: input_ids.map(() => 1),
  };
  for (let step = 0; step < 3; step++)
    await timed(`SFT step of ${rows} x ${tokens}, LoRA`, 1, async () => {
      const { loss } = await agent.learn(batch);
      console.log(`loss ${loss?.toFixed(6)}`);
    });
}
if (options.measure.includes("rollout")) {
  const group_size = 4;
  const agent = new GRPO({
    actor_network: model,
    lr: 1e-5,
    batch_size: rows,
    group_size,
    micro_batch_size_per_gpu: group_size,
    min_output_tokens: tokens,
    max_output_tokens: tokens,
    max_model_len: 2 * tokens,
    lora_config: { lora_r: 16, target_modules: "all-linear" },
  });
  const prompts = Array.from({ length: rows * group_size }, (_, row) =>
    promptOf(Math.floor(row / group_size), tokens),
  );
  for (let iteration = 0; iteration < 2; iteration++) {
    const what = `${rows} prompts x ${group_size}, ${tokens} tokens after ${tokens}`;
    const { completion_ids, action_masks } = await timed(`rollout of ${what}`, 1, () =>
      agent.getAction(prompts),
    );
    const rewards = completion_ids.map((ids) => (ids.at(-1) ?? 0) / 49_152);
    await timed(`GRPO step of ${what}`, 1, () =>
      agent.learn({ input_ids: completion_ids, action_mask: action_masks, rewards }),
    );
  }
}
