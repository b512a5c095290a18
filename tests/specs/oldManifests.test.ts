import { describe, expect, it } from "vitest";
import {
  exportWarnings,
  listAlgorithms,
  manifestToObject,
  parseManifest,
  validateManifest,
} from "../../src/manifests/index.ts";
import { manifestIssues, manifestWith } from "./issues.ts";

const model = {
  pretrained_model_name_or_path: "tiny/model",
  max_context_length: 256,
  lora_config: { lora_r: 8, lora_alpha: 16, target_modules: ["q_proj"], task_type: "CAUSAL_LM" },
};
const evolution = {
  mutation: {
    probabilities: {
      no_mut: 0.4,
      arch_mut: 0.2,
      new_layer: 0.2,
      params_mut: 0.2,
      act_mut: 0.2,
      rl_hp_mut: 0.2,
    },
    rl_hp_selection: { batch_size: { min: 8, max: 64 } },
    mutation_sd: 0.1,
    rand_seed: 42,
  },
  selection_strategy: { tournament_size: 2, elitism: true },
};
const training = {
  max_steps: 1000,
  pop_size: 4,
  evo_steps: 100,
  eval_steps: null,
  eval_loop: 1,
  target_score: null,
  learning_delay: 0,
};
const gym = (name: string) => ({ name, num_envs: 16 });
const vllm_config = {
  tensor_parallel_size: 1,
  gpu_memory_utilization: 0.3,
  max_num_seqs: 8,
  sleep_mode: true,
};
const reasoning = {
  env_type: "reasoning",
  dataset: "rows.parquet",
  columns: { q: "question", a: "answer" },
  prompt_template: { system_0: "Reply with a word.", user_1: "{question}" },
  reward_file_path: "reward.py",
  reward_fn_name: "score",
  max_reward: 1,
  train_test_split: 0.9,
};
const multiturn = { env_type: "multiturn", env_name: "game:Guess", max_turns: 4, max_reward: 1 };

/** A manifest of the 2.x releases for each algorithm, and the paths that are translated. */
const OLD: Record<string, { manifest: Record<string, unknown>; translated: readonly string[] }> = {
  DQN: {
    manifest: {
      algorithm: { name: "DQN", double: false, cudagraphs: false, lr: 6e-4, learn_step: 4, tau: 0.001 },
      environment: gym("LunarLander-v3"),
      training: { ...training, eps_start: 1, eps_end: 0.1, eps_decay: 0.99 },
      network: {
        latent_dim: 128,
        encoder_config: { hidden_size: [128] },
        head_config: { hidden_size: [128] },
      },
      replay_buffer: { max_size: 1000 },
      ...evolution,
    },
    translated: [],
  },
  RainbowDQN: {
    manifest: {
      algorithm: {
        name: "RainbowDQN",
        n_step: 4,
        noise_std: 0.5,
        num_atoms: 51,
        prior_eps: 1e-6,
        v_min: -200,
        v_max: 200,
        beta: 0.4,
      },
      environment: gym("LunarLander-v3"),
      training: { ...training, replay_buffer: { max_size: 5 } },
      replay_buffer: { max_size: 1000 },
      ...evolution,
    },
    translated: ["training.replay_buffer"],
  },
  DDPG: {
    manifest: {
      algorithm: {
        name: "DDPG",
        O_U_noise: true,
        expl_noise: 0.1,
        mean_noise: 0,
        theta: 0.15,
        dt: 0.01,
        share_encoders: true,
      },
      environment: gym("HalfCheetah-v4"),
      training,
      network: {
        simba: true,
        latent_dim: 64,
        encoder_config: { hidden_size: 128, num_blocks: 2 },
        head_config: { hidden_size: [64], output_activation: "Tanh" },
      },
      replay_buffer: { max_size: 1000 },
      ...evolution,
    },
    translated: [],
  },
  TD3: {
    manifest: {
      algorithm: { name: "TD3", lr_actor: 3e-4, lr_critic: 3e-4, policy_freq: 2 },
      environment: gym("LunarLanderContinuous-v3"),
      training,
      ...evolution,
    },
    translated: [],
  },
  PPO: {
    manifest: {
      algorithm: { name: "PPO", recurrent: true, max_seq_len: 32, action_std_init: 0.6, target_kl: null },
      environment: gym("CartPole-v1"),
      training: { ...training, pop_size: 8 },
      network: { latent_dim: 64, encoder_config: { hidden_state_size: 64, num_layers: 1 } },
      ...evolution,
      selection_strategy: {
        strategy: "multi_frequency",
        n_subpopulations: 2,
        n_winners: 1,
        n_survivors: 0,
        n_open_for_migration: 1,
        n_losers: 2,
        evolution_frequency_ratios: [1, 5],
      },
    },
    translated: [],
  },
  CQN: {
    manifest: {
      algorithm: { name: "CQN", double: true },
      environment: { ...gym("CartPole-v1"), minari_dataset_id: "cartpole/random-v0" },
      training,
      replay_buffer: { max_size: 1000 },
      ...evolution,
    },
    translated: [],
  },
  MADDPG: {
    manifest: {
      algorithm: { name: "MADDPG", gamma: 0.95 },
      environment: gym("mpe2.simple_v3"),
      training,
      ...evolution,
    },
    translated: [],
  },
  MATD3: {
    manifest: { algorithm: { name: "MATD3", policy_freq: 2 }, environment: gym("mpe2.simple_v3"), training },
    translated: [],
  },
  IPPO: {
    manifest: { algorithm: { name: "IPPO", target_kl: null }, environment: gym("mpe2.simple_v3"), training },
    translated: [],
  },
  NeuralUCB: {
    manifest: {
      algorithm: { name: "NeuralUCB", lamb: 1, reg: 0.000625 },
      environment: { features: "x.csv", targets: "y.csv" },
      training: { ...training, episode_steps: 100 },
    },
    translated: [],
  },
  NeuralTS: {
    manifest: { algorithm: { name: "NeuralTS" }, environment: { features: "x", targets: "y" }, training },
    translated: [],
  },
  GRPO: {
    manifest: {
      algorithm: { name: "GRPO", group_size: 8, use_vllm: true, vllm_config, reduce_memory_peak: true },
      environment: reasoning,
      training: { max_steps: 100, pop_size: 4, evo_steps: 5, evaluation_interval: 5 },
      network: model,
    },
    translated: ["environment.env_type"],
  },
  GSPO: {
    manifest: {
      algorithm: { name: "GSPO", group_size: 8, action_granularity: "turn" },
      environment: reasoning,
      training: { max_steps: 100 },
      network: model,
    },
    translated: ["environment.env_type"],
  },
  CISPO: {
    manifest: {
      algorithm: { name: "CISPO", group_size: 8, clip_coef: [0.2, 0.3], use_vllm: true, vllm_config },
      environment: { ...multiturn, strict_chat_template_boundary: false },
      training: { max_steps: 100 },
      network: model,
    },
    translated: ["environment.env_type", "environment.env_name"],
  },
  LLMPPO: {
    manifest: {
      algorithm: { name: "LLMPPO", lr_actor: 5e-6, lr_critic: 5e-6, advantage_granularity: "turn" },
      environment: multiturn,
      training: { max_steps: 100 },
      network: model,
    },
    translated: ["environment.env_type", "environment.env_name"],
  },
  LLMREINFORCE: {
    manifest: {
      algorithm: { name: "LLMREINFORCE", advantage_granularity: "turn", use_vllm: false },
      environment: multiturn,
      training: { max_steps: 100 },
      network: model,
    },
    translated: ["environment.env_type", "environment.env_name"],
  },
  DPO: {
    manifest: {
      algorithm: { name: "DPO", beta: 0.1, use_vllm: true, vllm_importance_sampling_cap: 2 },
      environment: { env_type: "preference", name: "pairs.parquet" },
      training: { max_steps: 100, num_epochs: 1 },
      network: model,
    },
    translated: ["algorithm.use_vllm", "algorithm.vllm_importance_sampling_cap", "environment.env_type"],
  },
  SFT: {
    manifest: {
      algorithm: { name: "SFT" },
      environment: { env_type: "sft", dataset: "rows.parquet", response_column: "chosen" },
      training: { max_steps: 100 },
      network: model,
    },
    translated: ["environment.env_type"],
  },
};

describe("manifests of 2.x releases", () => {
  it("are tried for every algorithm", () => {
    expect(Object.keys(OLD).toSorted()).toEqual(
      listAlgorithms()
        .filter(({ rlkit_only }) => !rlkit_only)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it.each(Object.entries(OLD))(
    "read for %s, with one warning for each translation",
    (_name, { manifest, translated }) => {
      const before = structuredClone(manifest);
      const told: string[] = [];
      const parsed = parseManifest(manifest, { onTranslated: ({ path }) => told.push(path) });
      expect(told).toEqual(translated);
      expect(manifest).toEqual(before);
      // The written manifest needs no translation.
      const again = validateManifest(manifestToObject(parsed));
      expect(again).toEqual({ success: true, manifest: parsed, translated: [] });
    },
  );

  it("keep what the translated keys said", () => {
    const environmentOf = (name: string) => parseManifest(OLD[name]?.manifest ?? {}).environment;
    expect(environmentOf("GRPO")).toMatchObject({
      env_type: "rollout",
      dataset: "rows.parquet",
      max_turns: 1,
      rubric_file_path: "reward.py",
      rubric_name: "score",
    });
    expect(environmentOf("LLMPPO")).toMatchObject({
      env_type: "rollout",
      entrypoint: "game:Guess",
      factory: "gem:make",
      max_turns: 4,
    });
    expect(environmentOf("DPO")).toMatchObject({
      env_type: "dataset",
      objective: "preference",
      dataset: "pairs.parquet",
    });
    expect(environmentOf("SFT")).toMatchObject({ env_type: "dataset", objective: "sft" });
  });

  it("are checked as others are", () => {
    const wrong = {
      algorithm: { name: "GRPO", use_vllm: true, group_size: 0 },
      environment: reasoning,
      network: model,
    };
    expect(manifestIssues(wrong).map(({ path }) => path)).toEqual(["algorithm.group_size"]);
    expect(manifestIssues(manifestWith({ algorithm: [] })).map(({ path }) => path)).toEqual(["algorithm"]);
  });
});

describe("exportWarnings", () => {
  const warned = (parts: Record<string, unknown>) =>
    exportWarnings(parseManifest(manifestWith(parts)), ["MinAtar/Breakout"]).map(({ path }) => path);

  it("names what only rlkit has", () => {
    const encoder_config = { channel_size: 32, kernel_size: 3, stride_size: 1, num_blocks: 1 };
    const network = { arch: "resnet", encoder_config, head_config: { hidden_size: [64] } };
    expect(warned({ network, environment: { name: "MinAtar/Breakout" } })).toEqual([
      "network.encoder_config.arch",
      "environment.name",
    ]);
    expect(warned({ training: { learn_from: "population", max_replay_ratio: 2 } })).toEqual([
      "training.learn_from",
      "training.max_replay_ratio",
    ]);
    expect(warned({})).toEqual([]);
    expect(warned({ network: { encoder_config: { channel_size: [8] } } })).toEqual([]);
  });
});
