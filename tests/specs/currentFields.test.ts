/** Current settings of AgileRL that rlkit does not act on go through a round trip unchanged. */
import { describe, expect, it } from "vitest";
import {
  manifestToJson,
  manifestToObject,
  manifestToYaml,
  parseManifest,
  type TrainingManifest,
  validateManifest,
} from "../../src/manifests/index.ts";

const ROLLOUT = ["GRPO", "GSPO", "CISPO", "LLMPPO", "LLMREINFORCE"] as const;
const KEPT = { use_vllm: true, reduce_memory_peak: true, action_granularity: "turn" };

const manifestOf = (name: string, algorithm: object): TrainingManifest =>
  parseManifest({
    algorithm: { name, ...algorithm },
    environment:
      name === "DPO" || name === "KTO" || name === "SFT"
        ? { env_type: "dataset", dataset: "rows.jsonl" }
        : { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" },
    network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
  });

/** The manifest after each way of writing and reading it. */
const readBack = (manifest: TrainingManifest): readonly TrainingManifest[] => [
  parseManifest(manifestToObject(manifest)),
  parseManifest(manifestToJson(manifest)),
  parseManifest(manifestToYaml(manifest)),
];

describe("settings without effect", () => {
  it.each([
    ...ROLLOUT.map((name) => [name, KEPT] as const),
    ["GRPO", { use_vllm: false, reduce_memory_peak: false, action_granularity: "auto" }] as const,
    ["DPO", { reduce_memory_peak: true }] as const,
    ["SFT", { reduce_memory_peak: false }] as const,
  ])("are kept: %s %j", (name, settings) => {
    const manifest = manifestOf(name, settings);
    expect(manifestToObject(manifest).algorithm).toMatchObject(settings);
    for (const again of readBack(manifest)) expect(again).toEqual(manifest);
    expect(validateManifest(manifestToObject(manifest))).toMatchObject({ success: true, translated: [] });
  });

  it("are left out where the original leaves them out", () => {
    const written = manifestToObject(manifestOf("GRPO", {})).algorithm as object;
    for (const key of Object.keys(KEPT)) expect(written).not.toHaveProperty(key);
  });
});

describe("training.hpo", () => {
  const withTraining = (training: object): TrainingManifest =>
    parseManifest({ algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" }, training });

  it("is left out of a written manifest where the original leaves it out", () => {
    const manifest = withTraining({ max_steps: 1000 });
    expect(manifestToObject(manifest).training).not.toHaveProperty("hpo");
    expect(manifestToYaml(manifest)).not.toMatch(/hpo/);
    for (const again of readBack(manifest)) expect(again).toEqual(manifest);
  });

  it("is written where it is on", () => {
    const manifest = withTraining({ hpo: true });
    expect(manifestToObject(manifest).training).toMatchObject({ hpo: true });
    for (const again of readBack(manifest)) expect(again).toEqual(manifest);
  });
});
