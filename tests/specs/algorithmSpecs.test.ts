import { describe, expect, it } from "vitest";
import {
  AlgoSpec,
  algorithmDefinition,
  algorithmFields,
  CQNSpec,
  DDPGSpec,
  DQNSpec,
  defaultHpRanges,
  hpoRange,
  IPPOSpec,
  LLMAlgorithmSpec,
  listAlgorithms,
  MADDPGSpec,
  MATD3Spec,
  MultiAgentAlgorithmSpec,
  NeuralTSSpec,
  NeuralUCBSpec,
  PPOSpec,
  parseAlgorithm,
  parseSpec,
  RainbowDQNSpec,
  TD3Spec,
} from "../../src/manifests/index.ts";
import { sharesSteps } from "../../src/manifests/sharedSteps.ts";
import { LARGEST_REAL } from "../../src/specs/messages.ts";
import { issueOf, specErrorOf } from "./issues.ts";

/** Fields that all algorithm specs in this file share. */
const schedule = { lr_schedule: "constant", lr_final: null };
const base = { batch_size: 64, gamma: 0.99, normalize_images: true, net_config: null, ...schedule };

describe("algorithm specs", () => {
  it("give DQN its constructor's defaults", () => {
    expect(parseSpec(DQNSpec, {})).toEqual({
      name: "DQN",
      batch_size: 64,
      learn_step: 5,
      gamma: 0.99,
      normalize_images: true,
      net_config: null,
      ...schedule,
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
      ...schedule,
      num_envs: 1,
      lr: 1e-4,
      gae_lambda: 0.95,
      action_std_init: 0,
      clip_coef: 0.2,
      ent_coef: 0.01,
      clip_coef_schedule: "constant",
      clip_coef_final: null,
      ent_coef_schedule: "constant",
      ent_coef_final: null,
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

  it("give RainbowDQN its constructor's defaults", () => {
    expect(parseSpec(RainbowDQNSpec, {})).toEqual({
      name: "RainbowDQN",
      ...base,
      learn_step: 5,
      lr: 1e-4,
      tau: 0.001,
      beta: 0.4,
      prior_eps: 1e-6,
      num_atoms: 51,
      v_min: 0,
      v_max: 200,
      noise_std: 0.5,
      n_step: 3,
      combined_reward: false,
    });
  });

  const noise = {
    vect_noise_dim: 1,
    O_U_noise: true,
    expl_noise: 0.1,
    mean_noise: 0,
    theta: 0.15,
    dt: 0.01,
  };

  it("give DDPG and TD3 their constructors' defaults", () => {
    const shared = { ...base, learn_step: 5, lr_actor: 1e-4, lr_critic: 1e-3, policy_freq: 2, ...noise };
    const off = { share_encoders: false, inverting_gradients: false };
    expect(parseSpec(DDPGSpec, {})).toEqual({ name: "DDPG", ...shared, ...off, tau: 0.001 });
    expect(parseSpec(TD3Spec, {})).toEqual({ name: "TD3", ...shared, ...off, tau: 0.005 });
  });

  it("give algorithms of later builds their constructors' defaults", () => {
    expect(parseSpec(CQNSpec, {})).toEqual({
      name: "CQN",
      ...base,
      learn_step: 5,
      lr: 1e-4,
      tau: 0.001,
      double: false,
      alpha: 1,
      conservative: "dataset",
    });
    const multi = {
      ...base,
      torch_compiler: null,
      learn_step: 5,
      gamma: 0.95,
      lr_actor: 1e-3,
      lr_critic: 0.01,
      tau: 0.01,
      ...noise,
    };
    expect(parseSpec(MADDPGSpec, {})).toEqual({ name: "MADDPG", ...multi });
    expect(parseSpec(MATD3Spec, {})).toEqual({ name: "MATD3", ...multi, policy_freq: 2 });
    expect(parseSpec(IPPOSpec, {})).toEqual({
      name: "IPPO",
      ...base,
      torch_compiler: null,
      learn_step: 2048,
      lr: 1e-4,
      gae_lambda: 0.95,
      action_std_init: 0,
      clip_coef: 0.2,
      ent_coef: 0.01,
      clip_coef_schedule: "constant",
      clip_coef_final: null,
      ent_coef_schedule: "constant",
      ent_coef_final: null,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      target_kl: null,
      update_epochs: 4,
      action_batch_size: null,
    });
    const bandit = { ...base, learn_step: 2, gamma: 1, lamb: 1, reg: 0.000625 };
    expect(parseSpec(NeuralUCBSpec, {})).toEqual({ name: "NeuralUCB", ...bandit, lr: 0.001 });
    expect(parseSpec(NeuralTSSpec, {})).toEqual({ name: "NeuralTS", ...bandit, lr: 0.003 });
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
    ["RainbowDQN", { num_atoms: 0 }, "num_atoms"],
    ["RainbowDQN", { num_atoms: 1 }, "num_atoms"],
    ["RainbowDQN", { v_min: 200 }, "v_min"],
    ["RainbowDQN", { v_min: 5, v_max: 4 }, "v_min"],
    ["RainbowDQN", { n_step: 0 }, "n_step"],
    ["RainbowDQN", { beta: 1.5 }, "beta"],
    ["RainbowDQN", { double: true }, "double"],
    ["DDPG", { tau: 1.5 }, "tau"],
    ["DDPG", { lr_actor: -1 }, "lr_actor"],
    ["DDPG", { lr: 0.1 }, "lr"],
    ["DDPG", { policy_freq: 0 }, "policy_freq"],
    ["TD3", { lr_critic: -1 }, "lr_critic"],
    ["TD3", { vect_noise_dim: 0 }, "vect_noise_dim"],
    ["TD3", { expl_noise: -0.1 }, "expl_noise"],
    ["TD3", { O_U_noise: "yes" }, "O_U_noise"],
    ["MADDPG", { tau: 1.1 }, "tau"],
    ["MATD3", { policy_freq: 0 }, "policy_freq"],
    ["IPPO", { action_batch_size: 0 }, "action_batch_size"],
    ["NeuralUCB", { gamma: -1 }, "gamma"],
    ["CQN", { batch_size: 0 }, "batch_size"],
    ["BC", { loss: "l1" }, "loss"],
    ["IQL", { expectile: 1.2 }, "expectile"],
    ["AWAC", { lambda: 0 }, "lambda"],
    ["CQL", { num_actions: 0 }, "num_actions"],
    ["ES", { perturbations: 7 }, "perturbations"],
    ["ES", { sigma: 0 }, "sigma"],
    ["ES", { rank: 0 }, "rank"],
    ["ES", { rank: 65 }, "rank"],
  ])("refuse %s with %o", (name, fields, path) => {
    expect(issueOf(AlgoSpec, { name, ...fields }).path).toBe(path);
  });

  it("say in a field's text what it does", () => {
    const { clip_coef, learn_step } = PPOSpec.shape;
    expect(clip_coef.description).toMatch(
      /ratio of an action is clipped to 1 plus or minus this\. Values are not clipped\.$/,
    );
    expect(learn_step.description).toContain("at least 2");
    for (const { shape } of [DDPGSpec, TD3Spec])
      expect(shape.expl_noise.description).toContain("MountainCarContinuous-v0 needs 0.5");
  });

  it("tell names that are unknown", () => {
    expect(issueOf(AlgoSpec, { name: "DNQ" })).toMatchObject({
      path: "name",
      code: "value",
      suggestion: "DQN",
    });
    expect(issueOf(AlgoSpec, { name: "dqn" }).suggestion).toBe("DQN");
    expect(issueOf(AlgoSpec, {})).toMatchObject({ path: "name", code: "missing" });
  });

  it("can be had by name", () => {
    expect(parseAlgorithm("PPO")).toEqual(parseSpec(PPOSpec, {}));
    expect(parseAlgorithm({ name: "DQN", lr: 0.5 })).toMatchObject({ lr: 0.5 });
    const error = specErrorOf(() => parseAlgorithm("Rainbow"));
    expect(error.message).toMatch(
      /"Rainbow"; nearest: RainbowDQN, [^,]+, [^,]+; all \d+: `rlkit list algorithms`/,
    );
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

  it("read AgileRL's spelling of Rainbow", () => {
    // @ts-expect-error: not a name of the type, only of the format
    expect(parseAlgorithm({ name: "Rainbow DQN" }).name).toBe("RainbowDQN");
  });

  it("say what kind of algorithm each is", () => {
    const named = (
      kind: "off_policy" | "on_policy" | "evolution_strategy" | "offline" | "multi_agent" | "bandit",
    ) => listAlgorithms().flatMap((definition) => (definition[kind] ? [definition.name] : []));
    expect(named("off_policy")).toEqual(["DQN", "RainbowDQN", "DDPG", "TD3", "SAC", "MADDPG", "MATD3"]);
    expect(named("on_policy")).toEqual(["PPO", "AlphaZero", "IPPO"]);
    expect(named("evolution_strategy")).toEqual(["ES"]);
    expect(named("offline")).toEqual(["CQN", "BC", "TD3BC", "IQL", "AWAC", "CQL"]);
    expect(named("multi_agent")).toEqual(["MADDPG", "MATD3", "IPPO"]);
    const shared = listAlgorithms().filter(
      ({ multi_agent, on_policy, language_model }) => (multi_agent && on_policy) || language_model,
    );
    expect(listAlgorithms().filter(({ name }) => sharesSteps(name))).toEqual(shared);
    expect(sharesSteps(undefined)).toBe(false);
    expect(named("bandit")).toEqual(["NeuralUCB", "NeuralTS"]);
    expect(algorithmDefinition("PPO").critic_head).toEqual([16]);
  });
});

describe("mutable fields", () => {
  const names = (algorithm: string) => algorithmFields(algorithm).map((field) => field.name);

  it("are the numbers of a spec, without switches, names and the number of environments", () => {
    expect(names("DQN")).toEqual(["batch_size", "learn_step", "gamma", "lr", "tau"]);
    expect(names("PPO")).not.toContain("num_envs");
    expect(names("PPO")).toContain("target_kl");
    // Fields that determine the shapes of networks, buffers or noise vectors do not mutate.
    expect(names("RainbowDQN")).not.toContain("num_atoms");
    expect(names("TD3")).not.toContain("vect_noise_dim");
  });

  it("keep all numbers in the range of f32, in which programs compute", () => {
    const compiled = listAlgorithms().filter(({ language_model }) => !language_model);
    const outside = [2 * LARGEST_REAL, -2 * LARGEST_REAL];
    const broken = compiled.flatMap(({ name, schema }) =>
      Object.keys(schema.shape)
        .filter((key) => outside.some((value) => schema.safeParse({ name, [key]: value }).success))
        .map((key) => `${name}.${key}`),
    );
    expect(broken).toEqual([]);
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
    const fixed = { initial: "value", scale: "linear", choices: null };
    expect(ranges).toEqual({
      lr: { ...fixed, min: 0.0002, max: 0.02, grow_factor: 1.2, shrink_factor: 0.8 },
      batch_size: { ...fixed, min: 16, max: 256, grow_factor: 1.5, shrink_factor: 0.75 },
      learn_step: { ...fixed, min: 1, max: 12, grow_factor: 1.5, shrink_factor: 0.75 },
    });
    const names = (algorithm: string) => Object.keys(defaultHpRanges(parseAlgorithm(algorithm))).toSorted();
    for (const algorithm of ["DQN", "RainbowDQN", "PPO", "NeuralUCB", "NeuralTS"])
      expect(names(algorithm)).toEqual(["batch_size", "learn_step", "lr"]);
    for (const algorithm of ["DDPG", "TD3", "MADDPG", "MATD3"])
      expect(names(algorithm)).toEqual(["batch_size", "learn_step", "lr_actor", "lr_critic"]);
    // Offline learning has no environment steps, and so no learn_step.
    for (const algorithm of ["CQN", "BC"]) expect(names(algorithm)).toEqual(["batch_size", "lr"]);
    for (const algorithm of ["TD3+BC", "IQL", "AWAC", "CQL"])
      expect(names(algorithm)).toEqual(["batch_size", "lr_actor", "lr_critic"]);
    expect(names("IPPO")).toEqual([]);
  });

  it("have default ranges within the bounds of the field", () => {
    const { sigma } = defaultHpRanges(parseAlgorithm({ name: "ES", sigma: 2e-6 }));
    expect(sigma).toMatchObject({ min: 1e-6 });
  });

  it("have default ranges that leave 0, up to where the published search range ends", () => {
    const { lr } = defaultHpRanges(parseAlgorithm({ name: "DQN", lr: 0 }));
    expect(lr).toMatchObject({ min: 0, max: 0.01, grow_factor: 1.2, shrink_factor: 0.8 });
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
