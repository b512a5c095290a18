/** Batches that are filled up to the sizes of programs: what is learned, and every metric, stays. */
import { expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import type { LlmAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import { type LlmSpec, llmMetricsOf } from "../../../../src/llm/algorithms.ts";
import { resized } from "../../../../src/llm/engine/resized.ts";
import { specOf } from "../../support/specs.ts";
import { someExperiences, someLabelled, tinyAgent, VOCABULARY } from "../support/agents.ts";
import { differences } from "../support/lossDifferences.ts";

// The last of two micro-batches has half of the samples of the first.
const sizes = { batch_size: 6, micro_batch_size_per_gpu: 4, update_epochs: 2, max_model_len: 32 } as const;
const rates = { ...sizes, lr: 0.001 } as const;
const actor = { ...sizes, lr_actor: 0.001, lr_critic: 0.002 } as const;

const CASES: readonly (readonly [name: string, algorithm: LlmAlgorithm<LlmSpec>, spec: LlmSpec])[] = [
  ["GRPO", LLM_ALGORITHMS.GRPO, specOf("GRPO", { ...rates, group_size: 3, beta: 0.1 })],
  [
    "GRPO of turns",
    LLM_ALGORITHMS.GRPO,
    specOf("GRPO", { ...rates, group_size: 3, importance_sampling_level: "turn", filter_zero_adv: true }),
  ],
  ["CISPO", LLM_ALGORITHMS.CISPO, specOf("CISPO", { ...rates, group_size: 3 })],
  ["LLMPPO", LLM_ALGORITHMS.LLMPPO, specOf("LLMPPO", { ...actor, beta: 0.1 })],
  ["LLMREINFORCE", LLM_ALGORITHMS.LLMREINFORCE, specOf("LLMREINFORCE", rates)],
  ["DPO", LLM_ALGORITHMS.DPO, specOf("DPO", { ...rates, batch_size: 4, nll_alpha: 0.5 })],
  ["SFT", LLM_ALGORITHMS.SFT, specOf("SFT", rates)],
  ["SFT of packed rows", LLM_ALGORITHMS.SFT, specOf("SFT", { ...rates, use_sequence_packing: true })],
];

async function learned(algorithm: LlmAlgorithm<LlmSpec>, spec: LlmSpec, bound_sizes: boolean) {
  const agent = tinyAgent({ algorithm, device: new WasmDevice(), bound_sizes });
  const { core } = agent;
  const place = { seed: 1, slot: 0, updates: 0 };
  const labelled = someLabelled({
    rows: algorithm.kind === "dataset" && algorithm.rows_per_sample === 2 ? 12 : 6,
  });
  const experiences = someExperiences();
  const { metrics } =
    algorithm.kind === "rollout"
      ? await core.learnRollouts(experiences, spec, place)
      : await core.learnLabelled(labelled, spec, place);
  const weights = await core.policy.read([...core.policy.names("actor"), ...core.policy.names("critic")]);
  const log_probs = await core.logProbs("actor", experiences.sequences, 0.7);
  agent.close();
  return { metrics, weights, log_probs };
}

it.each(CASES)("%s learns the same", async (_, algorithm, spec) => {
  const [filled, own] = [await learned(algorithm, spec, true), await learned(algorithm, spec, false)];
  expect(Object.keys(own.metrics).sort()).toEqual([...(llmMetricsOf(algorithm.spec.name) ?? [])].sort());
  for (const [name, value] of Object.entries(own.metrics))
    expect(differences(name, [filled.metrics[name] ?? Number.NaN], [value])).toEqual([]);
  for (const [name, values] of own.weights)
    expect(differences(name, filled.weights.get(name) ?? [], values)).toEqual([]);
  expect(differences("log_probs", filled.log_probs, own.log_probs)).toEqual([]);
});

it("gives the same logits of sequences", async () => {
  const { sequences } = someExperiences({ rows: 3 });
  const [filled, own] = [true, false].map((bound_sizes) =>
    tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device: new WasmDevice(), bound_sizes }),
  );
  const expected = (await own?.core.policy.logits(sequences)) ?? [];
  expect(expected).toHaveLength(3 * 7 * VOCABULARY);
  expect(differences("logits", (await filled?.core.policy.logits(sequences)) ?? [], expected)).toEqual([]);
});

it("generates in a cache that is larger than asked for, and no further than that", async () => {
  const [filled, own] = await Promise.all(
    [true, false].map(async (bound_sizes) => {
      const { core } = tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device: new WasmDevice(), bound_sizes });
      const decoding = await core.decoding(2, 5);
      const logits = [await decoding.extend([[1, 2, 3], [4]]), await decoding.extend([[0], [1, 2]])];
      await expect(decoding.extend([[1, 2], []])).rejects.toThrow("sequence 0: found 6 tokens, allowed 5");
      return logits.flat().flatMap((values) => [...values]);
    }),
  );
  expect(differences("logits", filled ?? [], own ?? [])).toEqual([]);
});

it("keeps what both shapes have, and has 0 elsewhere", () => {
  const small = [1, 2, 3, 4, 5, 6];
  const large = resized(small, [2, 3], [3, 4]);
  expect([...large]).toEqual([1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0, 0]);
  expect([...resized(large, [3, 4], [2, 3])]).toEqual(small);
  expect([...resized([1, 2, 3, 4], [2, 2, 1], [2, 3, 2])]).toEqual([1, 0, 2, 0, 0, 0, 3, 0, 4, 0, 0, 0]);
  expect([...resized([7], [], [])]).toEqual([7]);
});
