import { describe, expect, it } from "vitest";
import {
  BanditEnvSpec,
  DatasetEnvSpec,
  evolutionSections,
  exportWarnings,
  manifestToObject,
  manifestWarnings,
  parseAlgorithm,
  parseManifest,
  parseSpec,
  RolloutEnvSpec,
} from "../../src/manifests/index.ts";
import { issueOf, issuesOf, manifestIssues } from "./issues.ts";

const network = { pretrained_model_name_or_path: "tiny/model", max_context_length: 256 };
const rows = {
  dataset: "rows.parquet",
  rubric_file_path: "rubric.py",
  prompt_template: { user_0: "{question}" },
};
const RUNS = {
  GRPO: { algorithm: { name: "GRPO", group_size: 4 }, environment: rows, network },
  GSPO: { algorithm: { name: "GSPO", group_size: 4 }, environment: rows, network },
  CISPO: { algorithm: { name: "CISPO", group_size: 4, clip_coef: [0.8, 2] }, environment: rows, network },
  LLMPPO: {
    algorithm: { name: "LLMPPO", lr_actor: 1e-6 },
    environment: { entrypoint: "games:Guess", factory: "gem:make", max_turns: 4 },
    network,
  },
  LLMREINFORCE: {
    algorithm: { name: "LLMREINFORCE", turn_ratio_pooling: "sum" },
    environment: { env_url: ["http://127.0.0.1:1", "http://127.0.0.1:2"], max_turns: 2 },
    network,
  },
  LLMES: { algorithm: { name: "LLMES", perturbations: 6 }, environment: rows, network },
  DPO: { algorithm: { name: "DPO" }, environment: { dataset: "pairs.parquet" }, network },
  KTO: { algorithm: { name: "KTO" }, environment: { dataset: "labelled.jsonl" }, network },
  SFT: {
    algorithm: { name: "SFT" },
    environment: { dataset: "rows.parquet", response_column: "chosen" },
    network: { ...network, lora_config: { lora_r: 8 } },
  },
};
type Name = keyof typeof RUNS;
const manifestOf = (name: Name, changes: Record<string, unknown> = {}) => ({ ...RUNS[name], ...changes });

describe.each(Object.keys(RUNS) as Name[])("a manifest of %s", (name) => {
  const manifest = parseManifest(manifestOf(name));

  it("validates without a warning", () => {
    expect(manifest.algorithm).toMatchObject({
      name,
      pretrained_model_name_or_path: "tiny/model",
      max_model_len: 256,
    });
    expect(manifest.training.evo_steps).toBe(10);
    expect(manifestWarnings(manifest)).toEqual([]);
  });

  it("is the same after writing and reading", () => {
    expect(parseManifest(manifestToObject(manifest))).toEqual(manifest);
  });
});

describe("a manifest of a language model", () => {
  it.each([1, 2, 3])("mutates hyperparameters as often as other agents do, by hpo of recipe %i", (recipe) => {
    const shareOf = (manifest: object) => {
      const sections = evolutionSections(parseManifest({ ...manifest, training: { hpo: true } }), recipe);
      const found = sections.mutation?.probabilities;
      const { no_mut = 0, arch_mut = 0, params_mut = 0, act_mut = 0, rl_hp_mut = 0 } = found ?? {};
      const hyperparameters = rl_hp_mut / (no_mut + arch_mut + params_mut + act_mut + rl_hp_mut);
      return { ...found, hyperparameters };
    };
    const others = shareOf({ algorithm: { name: "PPO" }, environment: { name: "CartPole-v1" } });
    const own = shareOf(RUNS.SFT);
    expect(own).toMatchObject({ arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0 });
    expect(others.hyperparameters).toBeGreaterThan(0);
    expect(own.hyperparameters).toBeCloseTo(others.hyperparameters, 12);
  });

  it("does not search the rank of LLMES's noise beside an adapter, where it has no effect", () => {
    const searched = (algorithm: object) => {
      const manifest = manifestOf("LLMES", {
        algorithm: { name: "LLMES", ...algorithm },
        training: { hpo: "search" },
      });
      const { mutation } = evolutionSections(parseManifest(manifest));
      return Object.keys(mutation?.rl_hp_selection ?? {});
    };
    expect(searched({})).toEqual(["lr", "sigma", "batch_size", "rank"]);
    expect(searched({ lora_config: { lora_r: 4 } })).toEqual(["lr", "sigma", "batch_size"]);
  });

  const pathsOf = (manifest: Record<string, unknown>) => manifestIssues(manifest).map(({ path }) => path);

  it("fills in the engine that shares the trainer's GPU, and no other", () => {
    const engine = (training: object) => parseManifest(manifestOf("GRPO", { training })).algorithm;
    expect(engine({})).toMatchObject({
      vllm_config: {
        max_num_seqs: 16,
        gpu_memory_utilization: 0.9,
        tensor_parallel_size: 1,
        sleep_mode: true,
      },
    });
    const rollouts = { rollout_mode: "async", rollout_engines_per_agent: 1, experience_sharing: false };
    const parts = { training: rollouts, replay_buffer: { kind: "llm" } };
    expect(parseManifest(manifestOf("GRPO", parts)).algorithm).toMatchObject({ vllm_config: null });
    expect(parseManifest(manifestOf("SFT")).algorithm).not.toHaveProperty("vllm_config");
  });

  it("refuses adapters that differ between network and algorithm", () => {
    const adapter = { lora_r: 8 };
    const algorithm = (lora_config: object) => ({ name: "SFT", lora_config });
    expect(parseManifest(manifestOf("SFT", { algorithm: algorithm(adapter) })).algorithm).toMatchObject({
      lora_config: adapter,
    });
    expect(pathsOf(manifestOf("SFT", { algorithm: algorithm({ lora_r: 4 }) }))).toEqual([
      "algorithm.lora_config",
    ]);
    expect(
      parseManifest(manifestOf("SFT", { network, algorithm: algorithm(adapter) })).algorithm,
    ).toMatchObject({
      lora_config: adapter,
    });
    expect(pathsOf(manifestOf("SFT", { network: { ...network, lora_config: { lora_alpha: 0 } } }))).toContain(
      "network.lora_config.lora_alpha",
    );
  });
});

describe("language-model algorithms", () => {
  it("have the contract's defaults where they differ from the base", () => {
    expect(parseAlgorithm("GRPO")).toMatchObject({
      batch_size: 16,
      group_size: 8,
      loss_type: "grpo",
      lr: 5e-7,
      clip_coef: 0.2,
      adv_norm: "mean_std",
      temperature: 0.9,
      top_p: 0.95,
      top_k: 50,
      advantage_granularity: "auto",
      loss_norm: "micro_batch",
    });
    expect(parseAlgorithm("LLMPPO")).toMatchObject({
      temperature: 1,
      beta: 0.01,
      max_grad_norm: 1,
      lr_actor: 5e-7,
      lr_critic: 5e-5,
      gamma: 1,
      gae_lambda: 1,
      turn_value_reduction: "final_value",
    });
    expect(parseAlgorithm("DPO")).toMatchObject({ lr: 5e-6, beta: 0.1, nll_alpha: 1 });
    expect(parseAlgorithm("SFT")).toMatchObject({ lr: 5e-5, use_separate_reference_adapter: false });
  });

  it("read lr as the policy's rate of LLMPPO, once", () => {
    // @ts-expect-error: another name of the format, not of the type
    expect(parseAlgorithm({ name: "LLMPPO", lr: 1e-6 })).toMatchObject({ lr_actor: 1e-6 });
    // @ts-expect-error: as above
    expect(() => parseAlgorithm({ name: "LLMPPO", lr: 1e-6, lr_actor: 1e-6 })).toThrow("algorithm.lr: given");
  });

  it.each([
    ["GRPO", { algorithm: { name: "GRPO", group_size: 0 } }, "algorithm.group_size"],
    ["GRPO", { algorithm: { name: "GRPO", clip_coef: [2, 0.8] } }, "algorithm.clip_coef"],
    ["GSPO", { algorithm: { name: "GSPO", loss_type: "grpo" } }, "algorithm.loss_type"],
    ["GRPO", { algorithm: { name: "GRPO", group_size: 4, clip_coef: 2 } }, "algorithm.clip_coef"],
    ["GRPO", { algorithm: { name: "GRPO", group_size: 4, use_vlm: true } }, "algorithm.use_vlm"],
    ["GRPO", { algorithm: { name: "GRPO", group_size: 4, max_model_len: 64 } }, "algorithm.max_model_len"],
    [
      "LLMPPO",
      { algorithm: { name: "LLMPPO", thinking_token_budget: 8 } },
      "algorithm.thinking_token_budget",
    ],
    [
      "LLMPPO",
      { algorithm: { name: "LLMPPO", thinking_token_budget: 8, max_output_tokens: 8 } },
      "algorithm.thinking_token_budget",
    ],
    ["SFT", { algorithm: { name: "SFT", activation_offload: true } }, "algorithm.activation_offload"],
    [
      "DPO",
      { algorithm: { name: "DPO", use_sequence_packing: true, attn_implementation: "flex_attention" } },
      "algorithm.use_sequence_packing",
    ],
    ["DPO", { algorithm: { name: "DPO", label_smoothing: 0.6 } }, "algorithm.label_smoothing"],
    [
      "DPO",
      { algorithm: { name: "DPO", label_smoothing: 0.1, loss_type: "hinge" } },
      "algorithm.label_smoothing",
    ],
    ["DPO", { algorithm: { name: "DPO", beta: 0, loss_type: "ipo" } }, "algorithm.beta"],
    ["DPO", { environment: { dataset: "x", objective: "sft" } }, "environment.objective"],
    ["KTO", { algorithm: { name: "KTO", batch_size: 1 } }, "algorithm.batch_size"],
    ["KTO", { environment: { dataset: "x", fitness: "exact_match" } }, "environment.fitness"],
    ["DPO", { environment: { env_type: "rollout", entrypoint: "a:B" } }, "environment.env_type"],
    ["LLMES", { algorithm: { name: "LLMES", perturbations: 7 } }, "algorithm.perturbations"],
    ["LLMES", { algorithm: { name: "LLMES", sigma: 0 } }, "algorithm.sigma"],
    ["LLMES", { algorithm: { name: "LLMES", beta: 0.1 } }, "algorithm.beta"],
    ["LLMES", { algorithm: { name: "LLMES", sigma_schedule: "linear" } }, "training.max_steps"],
    ["GRPO", { network: { latent_dim: 8 } }, "network.pretrained_model_name_or_path"],
    ["GRPO", { network: null }, "network.pretrained_model_name_or_path"],
    ["GRPO", { training: { rollout_mode: "async", rollout_engines_per_agent: 1 } }, "training.rollout_mode"],
    [
      "GRPO",
      { mutation: { rl_hp_selection: { clip_coef: { min: 0, max: 1 } } } },
      "mutation.rl_hp_selection.clip_coef",
    ],
  ] as [Name, Record<string, unknown>, string][])("%s refuses %o at %s", (name, changes, path) => {
    expect(manifestIssues(manifestOf(name, changes)).map((issue) => issue.path)).toContain(path);
  });
});

describe("options that only rlkit has", () => {
  it.each([
    ["GRPO", "kl_estimator", "k3"],
    ["GSPO", "kl_estimator", "k3"],
    ["CISPO", "kl_estimator", "k3"],
    ["LLMPPO", "kl_estimator", "k3"],
    ["DPO", "loss_type", "ipo"],
    ["DPO", "label_smoothing", 0.1],
    ["DPO", "reference_free", true],
  ] as [Name, string, unknown][])(
    "of %s: %s leaves with a warning, its default not at all",
    (name, key, value) => {
      const plain = parseManifest(manifestOf(name));
      expect(manifestToObject(plain).algorithm).not.toHaveProperty(key);
      const manifest = parseManifest(manifestOf(name, { algorithm: { name, [key]: value } }));
      expect(exportWarnings(manifest, [])).toEqual([
        { path: `algorithm.${key}`, message: "is known to rlkit only" },
      ]);
      expect(parseManifest(manifestToObject(manifest))).toEqual(manifest);
    },
  );

  it("packing of SFT's rows is such a value", () => {
    const algorithm = { name: "SFT", use_sequence_packing: true };
    const manifest = parseManifest(manifestOf("SFT", { algorithm }));
    expect(exportWarnings(manifest, [])).toEqual([
      { path: "algorithm.use_sequence_packing", message: "true is known to rlkit only" },
    ]);
    expect(parseManifest(manifestToObject(manifest))).toEqual(manifest);
    expect(manifestWarnings(manifest)).toEqual([]);
  });

  it.each(["dapo", "dr_grpo", "bnpo"] as const)("GRPO's loss_type %s is such a value", (loss_type) => {
    const manifest = parseManifest(manifestOf("GRPO", { algorithm: { name: "GRPO", loss_type } }));
    expect(exportWarnings(manifest, [])).toEqual([
      { path: "algorithm.loss_type", message: `"${loss_type}" is known to rlkit only` },
    ]);
    expect(parseManifest(manifestToObject(manifest))).toEqual(manifest);
    expect(exportWarnings(parseManifest(manifestOf("GRPO")), [])).toEqual([]);
  });
});

describe("environments of language models", () => {
  it("fill in what their source implies", () => {
    expect(parseSpec(RolloutEnvSpec, { env_type: "rollout", ...rows })).toMatchObject({
      num_envs: 1,
      max_turns: 1,
      rubric_name: "reward_fn",
      train_test_split: 0.9,
    });
    expect(parseSpec(RolloutEnvSpec, { env_type: "rollout", env_image: "img", max_turns: 2 })).toMatchObject({
      env_port: 8000,
      cpus_per_env_host: 0.01,
      env_sessions_per_host: 1,
      action_field: "message",
    });
    expect(parseSpec(DatasetEnvSpec, { env_type: "dataset", dataset: "x", objective: "sft" })).toMatchObject({
      train_test_split: 0.9,
      response_column: "response",
    });
  });

  it("read the earlier names of the rubric", () => {
    const { rubric_file_path: reward_file_path, ...rest } = rows;
    const input = { env_type: "rollout", ...rest, reward_file_path, reward_fn_name: "score" };
    expect(parseSpec(RolloutEnvSpec, input)).toMatchObject({
      rubric_file_path: "rubric.py",
      rubric_name: "score",
    });
  });

  it("accept rows without a prompt_template: their column prompt is the prompt", () => {
    const { prompt_template: _, ...plain } = rows;
    expect(RolloutEnvSpec.parse({ env_type: "rollout", ...plain }).prompt_template).toBeNull();
  });

  it.each([
    [{}, "entrypoint"],
    [{ ...rows, entrypoint: "a:B" }, "entrypoint"],
    [{ ...rows, max_turns: 3 }, "max_turns"],
    [{ ...rows, env_config: {} }, "env_config"],
    [{ env_url: "http://x" }, "max_turns"],
    [{ entrypoint: "a:B", rubric_file_path: "x.py" }, "rubric_file_path"],
    [{ entrypoint: "a:B", env_port: 1 }, "env_port"],
    [{ entrypoint: "a:B", env_config: { env_id: "x" } }, "env_config"],
    [{ entrypoint: "a:B", env_packages: {} }, "env_packages"],
    [{ env_url: "http://x", max_turns: 1, factory: "a:b" }, "factory"],
    [{ env_image: "i", env_sessions_per_host: 2 }, "env_session_ports"],
    [{ entrypoint: "a:B", env_vars: { KEY: "x" } }, "env_vars"],
    [{ entrypoint: "a:B", env_services: [{ image: "x" }] }, "env_services"],
    [{ entrypoint: "a:B", env_session_ports: { PORT: 1 } }, "env_session_ports"],
    [{ env_image: "i", env_vars: { PORT: "1" }, env_session_ports: { PORT: 1 } }, "env_session_ports"],
  ])("refuse %o at %s", (input, path) => {
    expect(issueOf(RolloutEnvSpec, { env_type: "rollout", ...input }).path).toBe(path);
  });

  it.each([
    [{ objective: "sft" }, "dataset"],
    [{ dataset: "x" }, "objective"],
    [{ dataset: "x", objective: "sft", entrypoint: "a:B" }, "entrypoint"],
    [{ dataset: "x", objective: "sft", env_vars: { KEY: "x" } }, "env_vars"],
  ])("of labelled rows refuse %o at %s", (input, path) => {
    expect(issuesOf(DatasetEnvSpec, { env_type: "dataset", ...input }).map((issue) => issue.path)).toEqual([
      path,
    ]);
  });
});

describe("bandits", () => {
  it("have an environment of their own", () => {
    const manifest = parseManifest({
      algorithm: { name: "NeuralUCB" },
      environment: { features: "x.csv", targets: "y.csv" },
      training: { max_steps: 1000 },
    });
    expect(manifest.environment).toMatchObject({ env_type: "bandit", name: "BanditEnv", features: "x.csv" });
    expect(manifest.training.evo_steps).toBe(500);
    expect(issueOf(BanditEnvSpec, { env_type: "bandit", feature: "x" })).toMatchObject({
      path: "feature",
      suggestion: "features",
    });
  });
});
