/** Agents of the smallest built-in model, and batches for them. */
import type { Device } from "../../../../src/kernels/index.ts";
import { AgentCore } from "../../../../src/llm/agents/AgentCore.ts";
import type { Experiences, LabelledSequences } from "../../../../src/llm/agents/learntBatches.ts";
import { initialState, type PolicyState } from "../../../../src/llm/agents/PolicyState.ts";
import type { LlmAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import type { LlmSpec } from "../../../../src/llm/algorithms.ts";
import type { ActingEngine } from "../../../../src/llm/engine/Decodings.ts";
import { ModelOnDevice } from "../../../../src/llm/engine/ModelOnDevice.ts";
import type { PolicyShape, Sequences } from "../../../../src/llm/engine/Policy.ts";
import { builtInModel } from "../../../../src/llm/models.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { datasetBatch, rolloutBatch } from "./batches.ts";

const { config, weights, tokenizer } = builtInModel("rlkit/tiny-digits");
export const VOCABULARY = config.vocab_size;

/** Longest sequence. */
export const POSITIONS = 32;

export interface TinyAgent {
  readonly core: AgentCore<LlmSpec>;
  close(): void;
}

export interface TinyAgentOptions {
  readonly algorithm: LlmAlgorithm<LlmSpec>;
  readonly device: Device;
  readonly acts?: ActingEngine;
  readonly bound_sizes?: boolean;
}

/** A model trained whole, whose weights are the built-in ones with a little noise, so that all of them matter. */
export function tinyAgent({ algorithm, device, acts, bound_sizes }: TinyAgentOptions): TinyAgent {
  const shape: PolicyShape = {
    tuning: { kind: "whole" },
    reference: true,
    critic: algorithm.kind === "rollout" && algorithm.critic,
  };
  const options = { positions: POSITIONS, ...(bound_sizes === undefined ? {} : { bound_sizes }) };
  const model = ModelOnDevice.open(config, null, device, options);
  const core = new AgentCore(model, shape, algorithm, acts);
  core.policy.write(Object.entries(noisyState(shape)));
  return {
    core,
    close() {
      core.release();
      model.release();
    },
  };
}

function noisyState(shape: PolicyShape): PolicyState {
  const next = numbers(11);
  const parts = {
    id: "rlkit/tiny-digits",
    config,
    weights: weights(),
    stored: null,
    folder: null,
    tokenizer,
    built_in: true,
    warnings: [],
  };
  const state = initialState({ parts, lora: null, shape, seed: 1 });
  return Object.fromEntries(
    Object.entries(state).map(([name, values]) => [name, values.map((x) => x + 0.1 * (next() - 0.5))]),
  );
}

/** Sequences of digits, some of which end in padding. */
function someSequences(rows: number, columns: number): Sequences {
  const next = numbers(5);
  const length = columns + 1;
  return {
    rows,
    length,
    input_ids: Int32Array.from({ length: rows * length }, () => Math.floor(next() * 5)),
    attention_mask: Int32Array.from({ length: rows * length }, (_, i) =>
      i % length < length - (Math.floor(i / length) % 3) ? 1 : 0,
    ),
  };
}

export function someExperiences({ rows = 6, columns = 6, turns = 2 } = {}): Experiences {
  const { action_mask, turn_ids, rewards } = rolloutBatch({ rows, columns, turns });
  return { sequences: someSequences(rows, columns), turns, action_mask, turn_ids, rewards };
}

export function someLabelled({ rows = 6, columns = 6 } = {}): LabelledSequences {
  const { action_mask } = datasetBatch({ rows, columns });
  return { sequences: someSequences(rows, columns), action_mask };
}
