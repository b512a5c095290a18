/** Manifests of language models: what is refused, and what is warned of. */
import { describe, expect, it } from "vitest";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { languageModels } from "../../../src/training/workloads/languageModels.ts";
import { workloadIssues } from "../../../src/training/workloads/registry.ts";
import { NO_OTHER_MUTATION, rollouts, rows } from "../support/languageRuns.ts";

describe("a manifest of language models", () => {
  const messages = (manifest: object) =>
    workloadIssues(parseManifestObject(manifest)).map(({ path, message }) => `${path}: ${message}`);

  it.each([
    [
      { network: { pretrained_model_name_or_path: "rlkit/huge", max_context_length: 16 } },
      /found "rlkit\/huge", allowed rlkit\/tiny-digits/,
    ],
    [
      { mutation: { probabilities: { ...NO_OTHER_MUTATION, arch_mut: 0.2 } } },
      /Probability of architecture mutation must be 0 for language models, found 0.2/,
    ],
    [{ selection_strategy: { elitism: false } }, /selection_strategy.elitism: found false, allowed true/],
    [{ environment: { env_type: "rollout", env_url: "http://x", max_turns: 1 } }, /environments by URL/],
    [
      { environment: { env_type: "rollout", entrypoint: "games:Guess", max_turns: 2 } },
      /^environment.entrypoint: found "games:Guess"; Python does not run here; write a JavaScript module/,
    ],
    [
      {
        environment: {
          env_type: "rollout",
          dataset: "rlkit/backwards",
          rubric_file_path: "reward.py",
          prompt_template: { user_0: "{prompt}" },
        },
      },
      /^environment.rubric_file_path: found "reward.py"; Python does not run here/,
    ],
    [
      rows({ name: "SFT" }, "rows.arrow", "sft"),
      /rows.arrow: arrow files are not supported; write the rows as Parquet, JSON/,
    ],
    [
      {
        ...rows({ name: "SFT" }, "x", "sft"),
        environment: { env_type: "dataset", hf_dataset_id: "squad", objective: "sft" },
      },
      /hf_dataset_id: found "squad", allowed an id of the hub: OWNER\/NAME or OWNER\/NAME@REVISION/,
    ],
    [
      { algorithm: { name: "GRPO", micro_batch_size_per_gpu: 4, mini_batch_size: 8 } },
      /algorithm.mini_batch_size: found 8, allowed 4: a micro-batch is one optimiser step/,
    ],
    [
      {
        algorithm: {
          name: "GRPO",
          batch_size: 4,
          group_size: 2,
          micro_batch_size_per_gpu: 2,
          gradient_accumulation_steps: 4,
          mini_batch_size: 4,
        },
      },
      /algorithm.mini_batch_size: found 4, allowed 8: 4 micro-batches are one optimiser step; leave it out$/,
    ],
    [
      { algorithm: { name: "GRPO", lora_config: { target_parameters: ["experts"] } } },
      /algorithm.lora_config.target_parameters: found \["experts"\], allowed null/,
    ],
  ])("is refused before it starts: %j", (changes, message) => {
    expect(messages({ ...rollouts(), ...changes }).join("\n")).toMatch(message);
  });

  const warnings = (manifest: object) => languageModels.runs.warnings(parseManifestObject(manifest));

  it("without faults has no issues, and nothing to warn of", () => {
    expect(messages(rollouts())).toEqual([]);
    expect(warnings(rollouts({}, { seed: 7 }))).toEqual([]);
    const rewarded = { rubric_file_path: "exact_match", reward_weights: { reward: 2 } };
    const labelled = rows({ name: "SFT", lr: 1e-3 }, "rlkit/backwards", "sft");
    expect(warnings({ ...labelled, environment: { ...labelled.environment, ...rewarded } })).toEqual([]);
    expect(
      warnings(rows({ name: "SFT", lr: 1e-3, lora_config: { lora_dropout: 0 } }, "rlkit/backwards", "sft")),
    ).toEqual([]);
  });

  it("warns of a hyperparameter outside the range in which it mutates", () => {
    const mutation = { rl_hp_selection: { beta: { min: 0.1, max: 1 } } };
    expect(warnings({ ...rollouts({ beta: 0.001 }), mutation, selection_strategy: {} })).toEqual([
      "algorithm.beta is 0.001, outside the range in which it mutates (0.1 to 1): its first mutation moves it inside",
    ]);
  });

  it("names all that has no effect in one warning, and what has", () => {
    const engine = { attn_implementation: "eager", quantization: "int8", vllm_config: { max_num_seqs: 4 } };
    const other = { lora_config: { lora_dropout: 0.1 }, use_liger_loss: false, cast_logprobs_to_fp32: false };
    const manifest = rollouts({ ...engine, ...other }, { eval_steps: 5, learning_delay: 10 });
    expect(
      warnings({ ...manifest, environment: { ...manifest.environment, num_envs: 2, objective: "sft" } }),
    ).toEqual([
      "algorithm.use_liger_loss, algorithm.cast_logprobs_to_fp32, algorithm.quantization, " +
        "algorithm.attn_implementation, algorithm.vllm_config, algorithm.lora_config.lora_dropout, " +
        "training.eval_steps, training.learning_delay, environment.num_envs, environment.objective: no effect in this run",
      "network.weight_storage, and not algorithm.quantization, keeps a base in fewer bytes: f16 or q8",
    ]);
    const labelled = rows(
      { name: "SFT", lr: 1e-3, beta: 0.1, constrain_answer_pattern: "a" },
      "rlkit/backwards",
      "sft",
    );
    expect(warnings({ ...labelled, environment: { ...labelled.environment, max_reward: 1 } })).toEqual([
      "algorithm.beta, algorithm.constrain_answer_pattern, environment.max_reward: no effect in this run",
    ]);
  });
});
