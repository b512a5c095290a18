/** Runs of LLMES: they learn, from an adapter or all weights, and have the same bits however they are run. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { RolloutHarness } from "../../../src/llm/environments.ts";
import { LanguageModel, LLMES } from "../../../src/llm/index.ts";
import { trainLlmRollout } from "../../../src/training/index.ts";
import { rollouts, trained } from "../support/languageRuns.ts";

const evolving = (algorithm: object, training: object = {}, sections: object = {}) => ({
  ...rollouts({}, { pop_size: 1, evaluation_interval: 4, eval_loop: 32, hpo: false, ...training }),
  algorithm: { name: "LLMES", max_output_tokens: 1, ...algorithm },
  environment: { env_type: "rollout", entrypoint: "rlkit/ConditionalTarget", max_turns: 1, max_reward: 1 },
  mutation: undefined,
  selection_strategy: undefined,
  ...sections,
});
const ADAPTER = { network: { ...rollouts().network, lora_config: { lora_r: 4, lora_alpha: 8 } } };

describe.each([
  ["an adapter", ADAPTER],
  ["all weights", {}],
])("LLMES of %s", (_name, sections) => {
  it("learns which digit follows another", async () => {
    const { fitnesses, generations } = await trained(
      evolving({}, { max_steps: 20_480, target_score: 0.95 }, sections),
    );
    expect(fitnesses[0]).toBeGreaterThanOrEqual(0.95);
    const { metrics = {}, score } = generations[0]?.members[0] ?? {};
    expect(Object.keys(metrics).sort()).toEqual([
      "accuracy",
      "completion_length",
      "gradient_norm",
      "left_out",
      "noise_share",
      "return_best",
      "return_mean",
      "return_median",
      "return_q1",
      "return_q3",
      "return_std",
      "return_worst",
    ]);
    expect(metrics.return_mean).toBeCloseTo(score ?? Number.NaN, 6);
  });
});

it("has the same bits with 1 and 2 workers, and after a resume, also with schedules and mutations", async () => {
  const { mutation: evolution, selection_strategy } = rollouts();
  const mutation = {
    ...evolution,
    rl_hp_selection: { batch_size: { min: 1, max: 8 }, sigma: { min: 0.01, max: 0.1 } },
  };
  const run = (max_steps: number) =>
    evolving(
      { perturbations: 6, batch_size: 3, sigma_schedule: "linear", sigma_final: 0.5, rank: 2 },
      { pop_size: 2, evo_steps: 2, max_steps, evaluation_interval: 2, eval_loop: 4 },
      { ...ADAPTER, mutation, selection_strategy },
    );
  const whole = await trained(run(400));
  const two = await trained(run(400), { workers: 2 });
  expect(two.population).toEqual(whole.population);
  expect(two.fitnesses).toEqual(whole.fitnesses);
  const [saved = ""] = whole.events.flatMap((event) => (event.event === "checkpoint" ? [event.path] : []));
  const resumed = await trained(run(400), { store: whole.store, from: saved });
  expect(resumed.generations.length).toBeLessThan(whole.generations.length);
  expect(resumed.population).toEqual(whole.population);
});

it("warns where all copies earn the same, and throws where none has a reward", async () => {
  const only = { suppress_tokens: [0, 2, 3, 4, 5, 6], perturbations: 2, batch_size: 1 };
  const { events } = await trained(evolving(only, { max_steps: 24 }));
  const warnings = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
  expect(warnings.join("\n")).toMatch(/in the last 10 iterations, .* earned the same reward.*sigma/);

  const actor_network = await LanguageModel.load("rlkit/tiny-digits");
  const agent = new LLMES({ actor_network, perturbations: 4, batch_size: 2, max_output_tokens: 1 });
  const env = () => ({
    reset: () => ["1", {}] as const,
    step: () => ["", Number.NaN, true, false, {}] as const,
  });
  const run = trainLlmRollout({
    pop: [agent],
    max_turns: 1,
    env_factory: () => new RolloutHarness({ env, tokenizer: actor_network.tokenizer }),
    max_steps: 8,
    verbose: false,
  });
  await expect(run).rejects.toThrow("member 0: none of 2 pairs has returns that are finite numbers");
  const batch = { input_ids: [[1, 2]], action_mask: [[1]], rewards: [1] };
  await expect(agent.learn(batch)).rejects.toThrow("LLMES learns from episodes of perturbed copies");
  agent.close();
  actor_network.close();
});
