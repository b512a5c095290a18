/** Models of folders of which a manifest trains all weights: runs, checkpoints, exports, refusals. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LanguageModel } from "../../../src/llm/index.ts";
import { parseConfig } from "../../../src/llm/models.ts";
import { parseManifestObject, validateManifest } from "../../../src/manifests/index.ts";
import { defaultStore } from "../../../src/storage/files.ts";
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { LocalTrainer } from "../../../src/training/index.ts";
import { chooseActing } from "../../../src/training/llm/chooseActing.ts";
import { languageNeeds } from "../../../src/training/llm/languageNeeds.ts";
import { decodeMember } from "../../../src/training/llm/memberFile.ts";
import { modelCard } from "../../../src/training/llm/modelCard.ts";
import { llmSizeIssues } from "../../../src/training/plan/llmSizes.ts";
import { workloadIssues } from "../../../src/training/workloads/registry.ts";
import { memberDirectory, writeMemberOnnx, writeMergedMember } from "../../../src/training/workloads.ts";
import { LLAMA } from "../../llm/support/configs.ts";
import { modelFolder } from "../../llm/support/modelFolder.ts";
import type { Tensors } from "../../llm/support/weights.ts";

function scatter(tensors: Tensors): void {
  for (const { data } of tensors.values())
    for (const i of data.keys()) data[i] = 0.3 * Math.sin(1 + 12.9898 * i);
}

let [folder, store]: [string, FileStore] = ["", memoryFileStore()];
const at = (name: string): string => path.join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "whole-"));
  store = await defaultStore();
  for (const [name, bytes] of modelFolder(scatter)) await store.write(at(`m/${name}`), bytes);
  await writeFile(at("rows.jsonl"), '{"prompt":"the","response":"and"}\n'.repeat(20));
});
afterEach(() => rm(folder, { recursive: true }));

const ROWS = () => ({ env_type: "dataset", objective: "sft", dataset_path: at("rows.jsonl") });
const GAMES = { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" };

const manifestOf = (algorithm: object, environment: object, sections: object = {}) => ({
  algorithm: { batch_size: 2, full_finetuning: true, ...algorithm },
  environment,
  network: { pretrained_model_name_or_path: at("m"), max_context_length: 16 },
  training: { pop_size: 2, max_steps: 8, evo_steps: 1, evaluation_interval: 1, hpo: false },
  ...sections,
});

async function train(manifest: object, max_steps: number, name: string, from?: string) {
  const trainer = await LocalTrainer.fromManifest(
    { ...manifest, training: { ...(manifest as { training: object }).training, max_steps } } as never,
    { store, seed: 3, ...(from === undefined ? {} : { resume_from_checkpoint: from }) },
  );
  await trainer.train({ verbose: false, checkpoint_steps: 1, checkpoint_path: name, save_elite: false });
}

describe.each([
  ["SFT", { name: "SFT", lr: 0.01 }, ROWS],
  ["LLMPPO, with a critic", { name: "LLMPPO", lr_actor: 0.01, max_output_tokens: 2 }, () => GAMES],
] as const)("%s", (_name, algorithm, environment) => {
  it("changes every weight, resumes to the same bits, and is exported as a model", async () => {
    const manifest = manifestOf(algorithm, environment());
    await train(manifest, 8, at("run"));
    await train(manifest, 4, at("half"));
    await train(manifest, 8, at("half"), at("half_4"));
    const file = at("run_8/elite.safetensors");
    const [bytes, again] = [await store.read(file), await store.read(at("half_8/elite.safetensors"))];
    const { policy } = decodeMember(bytes, file);
    expect(decodeMember(again, file).policy).toEqual(policy);

    const names = await writeMergedMember(bytes, file, store, at("merged"));
    for (const own of ["config.json", "model.safetensors", "tokenizer.json"]) expect(names).toContain(own);
    await writeMemberOnnx(bytes, file, store, at("onnx"));
    for (const [name, content] of await memberDirectory(bytes, file, store))
      await store.write(at(`dir/${name}`), content);
    const [base, merged, written] = await Promise.all(
      ["m", "merged", "dir/actor"].map((name) => LanguageModel.load(at(name), { store })),
    );
    const weights = await base?.parts.stored?.whole();
    for (const [name, values] of weights ?? []) {
      expect([name, policy[`actor.${name}`]]).not.toEqual([name, values]);
      expect([name, (await merged?.parts.stored?.whole())?.get(name)]).toEqual([
        name,
        policy[`actor.${name}`],
      ]);
    }
    const input = { input_ids: [[1, 2, 3, 4]] };
    expect((await written?.logits(input))?.data).toEqual((await merged?.logits(input))?.data);
    for (const model of [base, merged, written]) model?.close();
  });
});

it("shows all weights as trained, acts on kernels, and counts no base beside them", async () => {
  const manifest = parseManifestObject(manifestOf({ name: "GRPO", max_output_tokens: 2 }, GAMES) as never);
  const card = await modelCard(manifest, store);
  expect(card.problems).toEqual([]);
  expect(card.model?.lora_r).toBeNull();
  const weights = 4 * (card.estimate?.weights ?? 0);
  // Actor, reference, and two moments of the actor.
  expect(card.estimate?.adapter_bytes).toBeGreaterThanOrEqual(4 * weights);
  expect(card.estimate?.base_bytes).toBeLessThan(weights);
  expect(await chooseActing(manifest, { store })).toEqual({ acts: "kernels", reason: null });
});

describe("is refused", () => {
  const issuesOf = (manifest: object) => {
    const result = validateManifest(manifest as never, { alsoCheck: workloadIssues });
    return result.success ? [] : result.issues.map(({ path: place, message }) => `${place}: ${message}`);
  };
  const network = () => ({ pretrained_model_name_or_path: at("m"), max_context_length: 16 });

  it("beside an adapter, and beside a packed base", () => {
    const sft = { name: "SFT" };
    expect(
      issuesOf(manifestOf(sft, ROWS(), { network: { ...network(), lora_config: { lora_r: 2 } } })),
    ).toEqual(["algorithm.full_finetuning: found true together with lora_config; remove one of the two"]);
    expect(issuesOf(manifestOf(sft, ROWS(), { network: { ...network(), weight_storage: "q8" } }))).toEqual([
      'network.weight_storage: found "q8", allowed "f32" with algorithm.full_finetuning, which keeps no base',
    ]);
  });

  it("where memory is short, by the config and by the files", async () => {
    const manifest = parseManifestObject(
      manifestOf({ name: "DPO" }, { ...ROWS(), objective: "preference" }) as never,
    );
    const large = {
      ...LLAMA,
      vocab_size: 50_000,
      hidden_size: 2048,
      intermediate_size: 8192,
      num_hidden_layers: 8,
    };
    const refusal =
      /^found true; training all weights needs about \d+ MB in one thread, WebAssembly has 4295 MB; remove it/;
    const [issue] = llmSizeIssues(manifest, parseConfig({ ...large, num_attention_heads: 16 }));
    expect(issue).toMatchObject({
      path: "algorithm.full_finetuning",
      message: expect.stringMatching(refusal),
    });
    // Of activations, only the exact estimate knows.
    const sizes = { batch_size: 256, group_size: 64, micro_batch_size_per_gpu: 16384, max_output_tokens: 48 };
    const long = parseManifestObject({
      ...manifestOf({ name: "GRPO", ...sizes }, GAMES),
      network: { ...network(), max_context_length: 64 },
    } as never);
    const needs = await languageNeeds(long, store);
    expect(needs.estimate).toBeNull();
    expect(needs.issues[0]?.message).toMatch(refusal);
  });
});
