/** The memory that an agent's run needs on wasm, found by running it on a device without memory. */
import { PlanningDevice } from "../../kernels/devices.ts";
import type { RolloutAlgorithm } from "../algorithms/contract.ts";
import type { LlmSpec } from "../algorithms/registry.ts";
import type { ActingEngine, ActorCopies } from "../engine/Decodings.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { AgentOnDevice } from "./AgentOnDevice.ts";
import type { AgentPlan } from "./agentPlan.ts";
import { MOST_TOGETHER } from "./RolloutRunner.ts";

/** Sizes of the largest batch. */
export interface BatchPlan {
  /** Tokens of the longest prompt. */
  readonly prompt: number;
  /** Tokens of the longest sequence. */
  readonly length: number;
  /** Turns of an episode. */
  readonly turns: number;
  /** Held-out prompts that an evaluation completes for display. */
  readonly shown: number;
}

/** Bytes of linear memory in one thread. */
export interface PlannedMemory {
  /** Weights and tables of the base. */
  readonly base_bytes: number;
  /** The member's own weights and its optimisers' moments. */
  readonly adapter_bytes: number;
  /** Caches of keys and values. */
  readonly cache_bytes: number;
  /** Temporaries of the program that needs most. */
  readonly transient_bytes: number;
  /** The largest of them. */
  readonly largest_bytes: number;
  /** Everything that is claimed from the engine. */
  readonly claimed_bytes: number;
  /** What is used of it, and so takes memory of the machine. */
  readonly used_bytes: number;
}

function sequencesOf(rows: number, length: number) {
  const input_ids = new Int32Array(rows * length);
  return { rows, length, input_ids, attention_mask: new Int32Array(rows * length).fill(1) };
}

/** ONNX Runtime's caches, which have no free places and are in JavaScript: those before and after a run. */
const onnxCacheBytes = ({ num_layers, num_key_value_heads, head_dim }: ModelConfig, tokens: number): number =>
  2 * 2 * 4 * num_layers * num_key_value_heads * head_dim * tokens;

/** Repeats the calls of one iteration and one evaluation with the largest batch. */
async function rehearse(
  agent: AgentOnDevice,
  { prompt, length, turns, shown }: BatchPlan,
  acts: ActingEngine,
): Promise<number> {
  const { core, max_model_len, plan } = agent;
  const { spec, algorithm } = plan;
  const place = { seed: 0, slot: 0, updates: 0 };
  const mask = (rows: number) => new Float32Array(rows * (length - 1)).fill(1);
  // The feedback of later turns is not known.
  const longest = turns > 1 ? max_model_len : length;
  /** With `prompts` different ones. */
  const decode = async (
    rows: number,
    tokens: number,
    prompts = rows,
    copies: ActorCopies | null = null,
  ): Promise<number> => {
    const cache = await agent.decoding(rows, longest, copies);
    await cache.extend(Array.from({ length: rows }, (_, i) => new Int32Array(tokens).fill(i % prompts)));
    if (tokens < longest) await cache.extend(Array.from({ length: rows }, () => new Int32Array(1)));
    return cache.bytes;
  };
  if (algorithm.kind === "dataset") {
    const rows = spec.batch_size * algorithm.rows_per_sample;
    const labelled = {
      sequences: sequencesOf(rows, length),
      action_mask: mask(rows),
      labels: new Float32Array(rows),
    };
    await core.learnLabelled(labelled, spec, place);
    // Responses behind prompts of others may be longer than any row.
    if (algorithm.mismatches) await core.logProbs("actor", sequencesOf(rows, core.policy.model.positions), 1);
    await core.logProbs("actor", labelled.sequences, 1);
    return shown > 0 ? decode(Math.min(shown, spec.batch_size), prompt) : 0;
  }
  const { batch_size } = spec;
  if ("perturbations" in spec) {
    await core.evolution.step([], spec);
    const count = acts === "kernels" ? core.copiesTogether(spec) : 1;
    const rows = batch_size * count;
    if (acts !== "kernels") return onnxCacheBytes(core.policy.model.config, rows * length);
    return decode(rows, prompt, rows, count > 1 ? core.evolution.room(count, batch_size) : null);
  }
  const rows = batch_size * (algorithm as RolloutAlgorithm<LlmSpec>).groupSize(spec);
  // Prompts of evaluations differ, and so does the feedback of later turns.
  const different = turns > 1 ? rows : Math.max(batch_size, Math.min(rows, MOST_TOGETHER));
  const caches =
    acts === "kernels"
      ? await decode(rows, prompt, different)
      : onnxCacheBytes(core.policy.model.config, rows * length);
  const batch = {
    sequences: sequencesOf(rows, length),
    turns,
    action_mask: mask(rows),
    turn_ids: new Int32Array(rows * (length - 1)),
    rewards: Float32Array.from({ length: rows * turns }, (_, i) => i % 2),
  };
  await core.learnRollouts(batch, spec, place);
  return caches;
}

/** In place of a base's weights. */
async function* nothing(): AsyncGenerator<never> {}

/** @param acts What generates completions of rollouts. */
export async function plannedMemory(
  plan: AgentPlan,
  batch: BatchPlan,
  acts: ActingEngine = "kernels",
): Promise<PlannedMemory> {
  const device = new PlanningDevice();
  const stored = plan.parts.stored && { parts: nothing, whole: async () => new Map() };
  const agent = await AgentOnDevice.open({ ...plan, parts: { ...plan.parts, stored } }, device);
  const { arena, model } = agent.core.policy;
  const base_bytes = model.bytes;
  const adapter_bytes = arena.bytes;
  const cache_bytes = await rehearse(agent, batch, acts);
  const isOutside = acts === "onnxruntime" && plan.algorithm.kind !== "dataset";
  const used_bytes = device.touched + (isOutside ? cache_bytes : 0);
  const { claimed: claimed_bytes, scratch_bytes: transient_bytes, largest_bytes } = device;
  agent.close();
  return {
    base_bytes,
    adapter_bytes,
    cache_bytes,
    transient_bytes,
    largest_bytes,
    claimed_bytes,
    used_bytes,
  };
}
