/** Probes of language-model algorithms, and the scores that a member must reach. */
import type { LoraSettings } from "../../src/llm/models.ts";

export interface LlmRow {
  readonly name: string;
  readonly title: string;
  readonly model: string;
  readonly algorithm: Readonly<Record<string, unknown>>;
  /** Adapter to train instead of all weights. */
  readonly lora?: LoraSettings | null;
  /** Environment, for rollouts. */
  readonly environment?: string;
  readonly max_turns?: number;
  /** Return at which an episode counts as solved. Default: 1. */
  readonly solved?: number;
  /** Data set, for labelled rows. */
  readonly dataset?: string;
  /** Every turn has reward 1. The score is the critic's absolute error, so lower is better. */
  readonly value_probe?: true;
  /** Turns or rows. */
  readonly max_steps: number;
  /** Description of the score. */
  readonly measure: string;
  readonly threshold: number;
  /** Number of the five seeds that must pass. */
  readonly must_pass: number;
}

const DIGITS = "rlkit/tiny-digits";

const common = { max_output_tokens: 1, max_model_len: 32, max_grad_norm: 1, update_epochs: 2, beta: 0 };

const grpo = {
  name: "GRPO",
  ...common,
  batch_size: 32,
  group_size: 8,
  micro_batch_size_per_gpu: 32,
  lr: 3e-4,
  temperature: 0.7,
};

const ppo = {
  name: "LLMPPO",
  ...common,
  batch_size: 64,
  micro_batch_size_per_gpu: 32,
  lr_actor: 3e-4,
  lr_critic: 1e-3,
  temperature: 0.7,
  whiten_advantages: false,
};

/** Cosine learning-rate schedule over the run. @param num_steps Number of batches in the run. */
const falling = (num_steps: number) => ({
  cosine_lr_schedule_config: { num_steps, warmup_proportion: 0, min_lr_ratio: 0.05 },
});

const adapter: LoraSettings = { lora_r: 16, lora_alpha: 32, target_modules: "all-linear" };
const accuracy = "sampled accuracy";

export const llmRows: readonly LlmRow[] = [
  {
    name: "grpo-constant",
    title: "GRPO, ConstantTarget, 4,096 turns",
    model: DIGITS,
    algorithm: grpo,
    environment: "rlkit/ConstantTarget",
    max_steps: 4096,
    measure: accuracy,
    threshold: 0.99,
    must_pass: 5,
  },
  {
    name: "grpo-conditional",
    title: "GRPO, ConditionalTarget, 8,192 turns",
    model: DIGITS,
    algorithm: grpo,
    environment: "rlkit/ConditionalTarget",
    max_steps: 8192,
    measure: accuracy,
    threshold: 0.99,
    must_pass: 5,
  },
  {
    name: "grpo-conditional-adapter",
    title: "GRPO by an adapter, ConditionalTarget, 12,288 turns",
    model: DIGITS,
    algorithm: { ...grpo, ...falling(48), lr: 1e-3, temperature: 1, beta: 0.003 },
    lora: adapter,
    environment: "rlkit/ConditionalTarget",
    max_steps: 12_288,
    measure: accuracy,
    threshold: 0.99,
    must_pass: 5,
  },
  {
    name: "llmppo-conditional",
    title: "LLMPPO, ConditionalTarget, 8,192 turns",
    model: DIGITS,
    algorithm: ppo,
    environment: "rlkit/ConditionalTarget",
    max_steps: 8192,
    measure: accuracy,
    threshold: 0.99,
    must_pass: 5,
  },
  {
    name: "llmreinforce-conditional",
    title: "LLMREINFORCE, ConditionalTarget, 8,192 turns",
    model: DIGITS,
    algorithm: {
      name: "LLMREINFORCE",
      ...common,
      batch_size: 64,
      micro_batch_size_per_gpu: 32,
      lr: 3e-4,
      temperature: 0.7,
    },
    environment: "rlkit/ConditionalTarget",
    max_steps: 8192,
    measure: accuracy,
    threshold: 0.98,
    must_pass: 5,
  },
  {
    name: "llmes-conditional",
    title: "LLMES, ConditionalTarget, 16,384 turns",
    model: DIGITS,
    algorithm: { name: "LLMES", max_output_tokens: 1, max_model_len: 32 },
    environment: "rlkit/ConditionalTarget",
    max_steps: 16_384,
    measure: "greedy accuracy",
    threshold: 0.99,
    must_pass: 5,
  },
  {
    name: "llmes-conditional-adapter",
    title: "LLMES by adapter, ConditionalTarget, 16,384 turns",
    model: DIGITS,
    algorithm: { name: "LLMES", max_output_tokens: 1, max_model_len: 32 },
    lora: adapter,
    environment: "rlkit/ConditionalTarget",
    max_steps: 16_384,
    measure: "greedy accuracy",
    threshold: 0.99,
    must_pass: 5,
  },
  {
    name: "llmppo-multi-input",
    title: "LLMPPO, MultiInputConditional, 24,576 turns",
    model: DIGITS,
    algorithm: {
      ...ppo,
      ...falling(192),
      batch_size: 128,
      vf_coef: 0.1,
      temperature: 1,
      beta: 0.03,
      whiten_advantages: true,
    },
    environment: "rlkit/MultiInputConditional",
    max_steps: 24_576,
    measure: accuracy,
    threshold: 0.95,
    must_pass: 4,
  },
  {
    name: "llmppo-value",
    title: "LLMPPO, every turn rewarded with 1: abs(V - 1) after 200 learning steps",
    model: DIGITS,
    algorithm: { ...ppo, batch_size: 32, micro_batch_size_per_gpu: 8, vf_coef: 1, update_epochs: 4 },
    environment: "rlkit/ConditionalTarget",
    value_probe: true,
    max_steps: 400,
    measure: "abs(V - 1)",
    threshold: 0.15,
    must_pass: 5,
  },
  {
    name: "grpo-grid",
    title: "GRPO, GridNavigation (5 turns), 65,536 turns",
    model: DIGITS,
    algorithm: {
      ...grpo,
      ...falling(130),
      micro_batch_size_per_gpu: 64,
      temperature: 1,
      eval_temperature: 0,
      beta: 0.01,
    },
    environment: "rlkit/GridNavigation",
    max_turns: 5,
    solved: 0.6,
    max_steps: 65_536,
    measure: "arrives, greedy",
    threshold: 0.9,
    must_pass: 4,
  },
  {
    name: "llmppo-grid",
    title: "LLMPPO, GridNavigation (5 turns), 65,536 turns",
    model: DIGITS,
    algorithm: {
      ...ppo,
      ...falling(300),
      micro_batch_size_per_gpu: 64,
      temperature: 1,
      eval_temperature: 0,
      beta: 0.01,
      gamma: 0.99,
      gae_lambda: 0.95,
      whiten_advantages: true,
    },
    environment: "rlkit/GridNavigation",
    max_turns: 5,
    solved: 0.6,
    max_steps: 65_536,
    measure: "arrives, greedy",
    threshold: 0.9,
    must_pass: 4,
  },
  {
    name: "llmes-grid",
    title: "LLMES, GridNavigation (5 turns), 500,000 turns",
    model: DIGITS,
    algorithm: {
      name: "LLMES",
      max_output_tokens: 1,
      max_model_len: 32,
      temperature: 1,
      eval_temperature: 0,
      sigma: 0.05,
      sigma_schedule: "cosine",
      sigma_final: 0.3,
      lr_schedule: "cosine",
    },
    environment: "rlkit/GridNavigation",
    max_turns: 5,
    solved: 0.6,
    max_steps: 500_000,
    measure: "arrives, greedy",
    threshold: 0.9,
    must_pass: 4,
  },
  {
    name: "dpo-polite",
    title: "DPO, rlkit/polite: chosen above rejected, 256 held-out pairs",
    model: "rlkit/tiny-letters",
    algorithm: { name: "DPO", batch_size: 32, lr: 5e-4, max_grad_norm: 1, max_model_len: 64 },
    dataset: "rlkit/polite",
    max_steps: 4096,
    measure: "chosen above rejected",
    threshold: 0.95,
    must_pass: 5,
  },
  {
    name: "sft-backwards",
    title: "SFT, rlkit/backwards: exact match on 256 held-out words within 1,200 steps",
    model: "rlkit/tiny-letters",
    algorithm: { name: "SFT", batch_size: 32, lr: 2e-3, max_grad_norm: 1, max_model_len: 32 },
    dataset: "rlkit/backwards",
    max_steps: 38_400,
    measure: "exact match",
    threshold: 0.99,
    must_pass: 5,
  },
];

/** @throws Error listing the valid names. */
export function findLlmRow(name: string): LlmRow {
  const row = llmRows.find((other) => other.name === name);
  if (row) return row;
  throw new Error(`there is no row ${name}; there are ${llmRows.map((other) => other.name).join(", ")}`);
}
