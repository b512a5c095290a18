/** What `rlkit validate` reads of a language-model run, and the memory that it foresees. */
import { describe, expect, it, vi } from "vitest";
import { PlanningDevice } from "../../../src/kernels/devices.ts";
import { WasmDevice } from "../../../src/kernels/index.ts";
import { AgentOnDevice } from "../../../src/llm/members.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { agentPlanOf } from "../../../src/training/llm/agentPlanOf.ts";
import { type LanguageEstimate, languageNeeds } from "../../../src/training/llm/languageNeeds.ts";
import { modelFoldersOf } from "../../../src/training/llm/modelFolders.ts";
import { CHATML } from "../../llm/support/chatTemplates.ts";
import { modelFolder } from "../../llm/support/modelFolder.ts";

const ROWS = [
  {
    messages: [
      { role: "user", content: "the" },
      { role: "assistant", content: "and the hello" },
    ],
  },
  {
    messages: [
      { role: "user", content: "and" },
      { role: "assistant", content: "in" },
    ],
  },
];

/** A store with the folder of a small model, which can chat, and rows. */
async function storeWith(
  rows: readonly object[],
  change: (files: Map<string, Uint8Array>) => void = () => undefined,
) {
  const store = memoryFileStore();
  const text = (content: string) => new TextEncoder().encode(content);
  const files = modelFolder().set("chat_template.jinja", text(CHATML));
  change(files);
  for (const [name, bytes] of files) await store.write(`m/${name}`, bytes);
  await store.write("rows.jsonl", text(rows.map((row) => JSON.stringify(row)).join("\n")));
  return store;
}

const manifest = (environment: object, algorithm: object, model = "m") =>
  parseManifestObject({
    algorithm,
    environment,
    network: {
      pretrained_model_name_or_path: model,
      max_context_length: 64,
      lora_config: { lora_r: 2, lora_alpha: 4, target_modules: "all-linear" },
    },
    training: { pop_size: 2, hpo: false },
  } as never);

const SFT = { name: "SFT", batch_size: 2 };
const labelled = { env_type: "dataset", dataset_path: "rows.jsonl", objective: "sft" };

describe("the memory of a run", () => {
  it("counts base, adapters and transients by the longest rows, without drawing or computing anything", async () => {
    const { estimate, issues } = await languageNeeds(manifest(labelled, SFT), await storeWith(ROWS));
    expect(issues).toEqual([]);
    expect(estimate?.host_bytes).toBe(0);
    // 17 tokens of ChatML around "the" and "and the hello": those of the longer row.
    const text = "<|im_start|>user\nthe<|im_end|>\n<|im_start|>assistant\nand the hello<|im_end|>";
    const plan = await agentPlanOf(manifest(labelled, SFT), modelFoldersOf(await storeWith(ROWS)));
    expect(estimate?.longest).toBe(plan.parts.tokenizer.encode(text).length);
    expect(estimate?.total_bytes).toBe((estimate?.used_bytes ?? 0) + 4 * (estimate?.adapter_bytes ?? 0));
    const wider = await languageNeeds(manifest(labelled, { ...SFT, batch_size: 8 }), await storeWith(ROWS));
    expect(wider.estimate?.transient_bytes).toBeGreaterThan(2 * (estimate?.transient_bytes ?? Infinity));
  });

  it.each([
    ["SFT", { ...SFT, batch_size: 32 }, labelled, 12],
    ["SFT", { ...SFT, batch_size: 32, micro_batch_size_per_gpu: 16 }, labelled, 30],
    ["DPO", { name: "DPO", batch_size: 16 }, { ...labelled, objective: "preference" }, 20],
  ])("is what a run on wasm claims: %s %j", async (_name, algorithm, environment, length) => {
    const folders = modelFoldersOf(await storeWith(ROWS));
    const plan = await agentPlanOf(manifest(environment, algorithm), folders);
    const per = "rows_per_sample" in plan.algorithm ? plan.algorithm.rows_per_sample : 1;
    const rows = plan.spec.batch_size * per;
    const claimed: number[] = [];
    for (const device of [new WasmDevice(), new PlanningDevice()]) {
      const agent = await AgentOnDevice.open(plan, device);
      const sequences = {
        rows,
        length,
        input_ids: new Int32Array(rows * length).fill(3),
        attention_mask: new Int32Array(rows * length).fill(1),
      };
      const action_mask = new Float32Array(rows * (length - 1)).fill(1);
      await agent.core.learnLabelled({ sequences, action_mask }, plan.spec, { seed: 0, slot: 0, updates: 0 });
      claimed.push(device.claimed);
      agent.close();
    }
    const [real, planned] = claimed;
    expect(real).toBeGreaterThan(2 ** 20);
    expect(planned).toBe(real);
  });

  it("of rollouts has caches, and sequences as long as prompts and completions together", async () => {
    const rollout = {
      env_type: "rollout",
      dataset_path: "rows.jsonl",
      rubric_file_path: "contains",
      max_turns: 1,
    };
    const grpo = { name: "GRPO", batch_size: 2, group_size: 2, max_output_tokens: 5 };
    const rows = [{ prompt: [{ role: "user", content: "the" }], answer: "and" }];
    const { estimate, issues } = await languageNeeds(manifest(rollout, grpo), await storeWith(rows));
    expect(issues).toEqual([]);
    const plan = await agentPlanOf(manifest(rollout, grpo), modelFoldersOf(await storeWith(rows)));
    const prompt = plan.parts.tokenizer.encode(
      "<|im_start|>user\nthe<|im_end|>\n<|im_start|>assistant\n",
    ).length;
    expect(estimate?.longest).toBe(prompt + 5);
    expect(estimate?.cache_bytes).toBeGreaterThan(0);

    const needsOf = async (acting: string) => {
      const needs = await languageNeeds(manifest(rollout, { ...grpo, acting }), await storeWith(rows));
      return needs.estimate as NonNullable<typeof needs.estimate>; // as above
    };
    const [onnxruntime, kernels] = [await needsOf("onnxruntime"), await needsOf("kernels")];
    expect([kernels.acting, kernels.acting_bytes]).toEqual([
      { acts: "kernels", reason: "the manifest says so" },
      0,
    ]);
    // Code, and 1.75 copies of the weights.
    expect(onnxruntime.acting_bytes).toBe(225e6 + 7 * onnxruntime.weights);
    // Its caches grow with the sequences; those of kernels have places for the longest ones allowed.
    const { cache_bytes } = onnxruntime;
    expect(cache_bytes).toBeGreaterThan(0);
    expect(cache_bytes).toBeLessThan(kernels.cache_bytes);
    const others = ({ total_bytes, cache_bytes, acting_bytes }: LanguageEstimate) =>
      total_bytes - cache_bytes - acting_bytes;
    expect(Math.abs(others(onnxruntime) / others(kernels) - 1)).toBeLessThan(0.2);
  });
});

describe("the files of a run", () => {
  const messageOf = async (...given: Parameters<typeof languageNeeds>) => {
    const { issues, estimate } = await languageNeeds(...given);
    expect(estimate).toBeNull();
    return issues.map(({ path, message }) => `${path}: ${message}`).join("\n");
  };

  it("must be there, complete, and of one model", async () => {
    expect(await messageOf(manifest(labelled, SFT, "owner/Model-1B"), await storeWith(ROWS))).toContain(
      'network.pretrained_model_name_or_path: owner/Model-1B/config.json: no such file; a folder that transformers saved has one; if "owner/Model-1B" is an id of the hub',
    );
    const short = await storeWith(ROWS, (files) => {
      files.set("model.safetensors", files.get("model.safetensors")?.subarray(0, -4) ?? new Uint8Array());
    });
    expect(await messageOf(manifest(labelled, SFT), short)).toContain("m/model.safetensors");
    const config = await storeWith(ROWS, (files) => {
      const json = JSON.parse(new TextDecoder().decode(files.get("config.json"))) as { vocab_size: number };
      files.set("config.json", new TextEncoder().encode(JSON.stringify({ ...json, vocab_size: 9 })));
    });
    expect(await messageOf(manifest(labelled, SFT), config)).toMatch(
      /has shape \[\d+, \d+\], where config.json/,
    );
  });

  it("include the data, whose rows are encoded", async () => {
    const turned = [{ messages: [{ role: "assistant", content: "the" }] }];
    expect(await messageOf(manifest(labelled, SFT), await storeWith(turned))).toContain(
      'environment: DatasetEnv: train: row 1: messages[0].role: found "assistant", allowed "user" there',
    );
    const missing = { ...labelled, dataset_path: "none.jsonl" };
    expect(await messageOf(manifest(missing, SFT), await storeWith(ROWS))).toContain("none.jsonl");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const long = [{ prompt: "the ".repeat(80), response: "and" }];
    expect(await messageOf(manifest(labelled, SFT), await storeWith(long))).toContain(
      "found no rows to use; all 1 have prompts longer than 63 tokens",
    );
  });
});
