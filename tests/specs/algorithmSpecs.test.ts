import { describe, expect, it } from "vitest";
import {
  AlgoSpec,
  algorithmDefinition,
  algorithmFields,
  DQNSpec,
  defaultHpRanges,
  hpoRange,
  LLMAlgorithmSpec,
  listAlgorithms,
  MultiAgentAlgorithmSpec,
  PPOSpec,
  parseAlgorithm,
  parseSpec,
} from "../../src/specs/index.ts";
import { issueOf, specErrorOf } from "./issues.ts";

describe("algorithm specs", () => {
  it("give DQN its constructor's defaults", () => {
    expect(parseSpec(DQNSpec, {})).toEqual({
      name: "DQN",
      batch_size: 64,
      learn_step: 5,
      gamma: 0.99,
      normalize_images: true,
      net_config: null,
      lr: 1e-4,
      tau: 0.001,
      double: false,
      cudagraphs: false,
    });
  });

  it("give PPO its constructor's defaults", () => {
    expect(parseSpec(PPOSpec, {})).toEqual({
      name: "PPO",
      batch_size: 64,
      learn_step: 2048,
      gamma: 0.99,
      normalize_images: true,
      net_config: null,
      num_envs: 1,
      lr: 1e-4,
      gae_lambda: 0.95,
      action_std_init: 0,
      clip_coef: 0.2,
      ent_coef: 0.01,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      target_kl: null,
      update_epochs: 4,
      share_encoders: true,
      rollout_buffer_config: null,
      recurrent: false,
      max_seq_len: null,
      bptt_sequence_type: "chunked",
    });
  });

  it.each([
    ["DQN", { batch_size: 0 }, "batch_size"],
    ["DQN", { learn_step: 0 }, "learn_step"],
    ["DQN", { gamma: 1.01 }, "gamma"],
    ["DQN", { gamma: -0.1 }, "gamma"],
    ["DQN", { lr: -1 }, "lr"],
    ["DQN", { double: 1 }, "double"],
    ["PPO", { num_envs: 0 }, "num_envs"],
    ["PPO", { gae_lambda: 1.1 }, "gae_lambda"],
    ["PPO", { action_std_init: -1 }, "action_std_init"],
    ["PPO", { clip_coef: 1.1 }, "clip_coef"],
    ["PPO", { clip_coef: [0.1, 0.2] }, "clip_coef"],
    ["PPO", { ent_coef: 1.1 }, "ent_coef"],
    ["PPO", { vf_coef: 1.1 }, "vf_coef"],
    ["PPO", { max_grad_norm: -1 }, "max_grad_norm"],
    ["PPO", { target_kl: -1 }, "target_kl"],
    ["PPO", { update_epochs: 0 }, "update_epochs"],
    ["PPO", { max_seq_len: 0 }, "max_seq_len"],
    ["PPO", { bptt_sequence_type: "chunky" }, "bptt_sequence_type"],
    ["PPO", { recurrent: 1 }, "recurrent"],
    ["DQN", { gae_lambda: 0.9 }, "gae_lambda"],
  ])("refuse %s with %o", (name, fields, path) => {
    expect(issueOf(AlgoSpec, { name, ...fields }).path).toBe(path);
  });

  it("tell a name that is unknown from one that this build lacks", () => {
    expect(issueOf(AlgoSpec, { name: "DNQ" })).toMatchObject({
      path: "name",
      code: "value",
      suggestion: "DQN",
    });
    expect(issueOf(AlgoSpec, { name: "dqn" }).suggestion).toBe("DQN");
    const lacking = issueOf(AlgoSpec, { name: "TD3" });
    expect(lacking).toMatchObject({ path: "name", code: "unsupported" });
    expect(lacking.message).toBe(
      'algorithm "TD3" is known to the format but not yet supported by this build; available: DQN, PPO',
    );
    expect(issueOf(AlgoSpec, {})).toMatchObject({ path: "name", code: "missing" });
  });

  it("can be had by name", () => {
    expect(parseAlgorithm("PPO")).toEqual(parseSpec(PPOSpec, {}));
    expect(parseAlgorithm({ name: "DQN", lr: 0.5 }).lr).toBe(0.5);
    const error = specErrorOf(() => parseAlgorithm("Rainbow"));
    expect(error.message).toContain("available: DQN, PPO");
    expect(error.issues[0]).toMatchObject({ path: "algorithm" });
  });

  it("read the names of recurrent PPO, unless the spec contradicts them", () => {
    for (const name of ["Recurrent PPO", "RecurrentPPO"]) {
      // @ts-expect-error: not a name of the type, only of the format
      expect(parseAlgorithm({ name })).toMatchObject({ name: "PPO", recurrent: true });
      // @ts-expect-error: as above
      const contradiction = specErrorOf(() => parseAlgorithm({ name, recurrent: false }));
      expect(contradiction.issues[0]?.path).toBe("algorithm.recurrent");
      expect(contradiction.message).toContain("implies recurrent: true");
    }
  });

  it("say what kind of algorithm each is", () => {
    const kinds = listAlgorithms().map(({ name, off_policy, on_policy }) => [name, off_policy, on_policy]);
    expect(kinds).toEqual([
      ["DQN", true, false],
      ["PPO", false, true],
    ]);
    expect(algorithmDefinition("PPO").critic_head).toEqual([16]);
  });
});

describe("mutable fields", () => {
  const names = (algorithm: string) => algorithmFields(algorithm).map((field) => field.name);

  it("are the numbers of a spec, without switches, names and the number of environments", () => {
    expect(names("DQN")).toEqual(["batch_size", "learn_step", "gamma", "lr", "tau"]);
    expect(names("PPO")).not.toContain("num_envs");
    expect(names("PPO")).toContain("target_kl");
  });

  it("carry kind, default and bounds", () => {
    const fields = algorithmFields("PPO");
    const named = (name: string) => fields.find((field) => field.name === name);
    expect(named("batch_size")).toMatchObject({ kind: "int", value: 64, minimum: 1, maximum: null });
    expect(named("gamma")).toMatchObject({ kind: "float", value: 0.99, minimum: 0, maximum: 1 });
    expect(named("target_kl")).toMatchObject({ kind: "float", value: null, minimum: 0 });
    expect(fields.every((field) => field.description.length > 10)).toBe(true);
  });

  it("have the contract's ranges", () => {
    expect(hpoRange("DQN", "lr")).toEqual({ min: 6.25e-5, max: 0.01, grow_factor: 1.2, shrink_factor: 0.8 });
    expect(hpoRange("DQN", "learn_step")).toEqual({ min: 1, max: 10, grow_factor: 1.5, shrink_factor: 0.75 });
    expect(hpoRange("PPO", "learn_step")).toMatchObject({ min: 512, max: 8192 });
    expect(hpoRange("PPO", "gae_lambda")).toEqual({
      min: 0.9,
      max: 0.99,
      grow_factor: 1.01,
      shrink_factor: 0.99,
    });
    expect(hpoRange("DQN", "gamma")).toEqual({
      min: 0.9,
      max: 0.9999,
      grow_factor: 1.001,
      shrink_factor: 0.999,
    });
    expect(hpoRange("PPO", "target_kl")).toBeUndefined();
    expect(hpoRange("PPO", "toString")).toBeUndefined();
  });

  it("have default ranges around the spec's own values", () => {
    const ranges = defaultHpRanges(parseAlgorithm({ name: "DQN", lr: 0.002, batch_size: 64, learn_step: 3 }));
    expect(ranges).toEqual({
      lr: { min: 0.0002, max: 0.02, grow_factor: 1.2, shrink_factor: 0.8 },
      batch_size: { min: 16, max: 256, grow_factor: 1.5, shrink_factor: 0.75 },
      learn_step: { min: 1, max: 12, grow_factor: 1.5, shrink_factor: 0.75 },
    });
  });
});

describe("base specs", () => {
  it("hold the multi-agent defaults", () => {
    expect(parseSpec(MultiAgentAlgorithmSpec, {})).toMatchObject({
      batch_size: 64,
      learn_step: 2048,
      gamma: 0.99,
    });
  });

  it("hold the language-model defaults", () => {
    expect(parseSpec(LLMAlgorithmSpec, {})).toMatchObject({
      batch_size: 16,
      beta: 0.001,
      max_grad_norm: 0.1,
      update_epochs: 1,
      use_separate_reference_adapter: true,
      seed: 42,
      max_model_len: 1024,
      lora_config: null,
      fsdp: null,
    });
    const lora = parseSpec(LLMAlgorithmSpec, { lora_config: {} }).lora_config;
    expect(lora).toMatchObject({
      lora_r: 16,
      lora_alpha: 32,
      target_modules: "all-linear",
      lora_dropout: 0.05,
    });
  });

  it.each([
    [{ constrain_answer_pattern: "(" }, "constrain_answer_pattern"],
    [{ constrain_answer_pattern: "^a" }, "constrain_answer_pattern"],
    [{ constrain_answer_pattern: "a$" }, "constrain_answer_pattern"],
    [{ answer_continuation: true }, "answer_continuation"],
    [{ use_sequence_packing: true }, "use_sequence_packing"],
    [{ mini_batch_size: 5, micro_batch_size_per_gpu: 2 }, "mini_batch_size"],
    [{ fsdp: false }, "fsdp"],
    [{ fsdp: { shard: 1 } }, "fsdp.shard"],
    [{ lora_config: { r: 8 } }, "lora_config.r"],
    [{ lora_config: { lora_dropout: 2 } }, "lora_config.lora_dropout"],
  ])("refuse %o", (input, path) => {
    expect(issueOf(LLMAlgorithmSpec, input).path).toBe(path);
  });

  it("take an escaped dollar sign for a character", () => {
    const spec = parseSpec(LLMAlgorithmSpec, { constrain_answer_pattern: String.raw`cost \$\d+` });
    expect(spec.constrain_answer_pattern).toBe(String.raw`cost \$\d+`);
  });
});
