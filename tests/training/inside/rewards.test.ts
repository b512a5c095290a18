/** Rewards that are no numbers: one among many neither ends a run nor moves its group's mean, and a warning counts them. */
import { describe, expect, it, vi } from "vitest";
import { RolloutHarness } from "../../../src/llm/environments.ts";
import { GRPO, LanguageModel, type RolloutExperiences } from "../../../src/llm/index.ts";
import { type TrainingEvent, trainLlmRollout } from "../../../src/training/index.ts";
import { AGENTS, played, ROLLOUT_NAMES } from "../../llm/support/languageAgents.ts";
import { trained } from "../support/languageRuns.ts";

const digits = await LanguageModel.load("rlkit/tiny-digits");
const { tokenizer } = digits;
const BAD = [Number.NaN, undefined, null, Number.POSITIVE_INFINITY, -1e308, "1"];
const nothing = "the sequences have no reward, and are left out of learning, of their groups and of fitness";

describe.each(ROLLOUT_NAMES)("%s, in code", (name) => {
  it("learns as if a sequence without a reward had no token of its own", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const agent = AGENTS[name](digits, name.startsWith("LLM") ? {} : { group_size: 4 });
    const batch = await played(agent);
    const [first, ...others] = batch.action_mask as readonly number[][];
    const masked = { ...batch, action_mask: [first?.map(() => 0) ?? [], ...others] };
    const due = await agent.lossAndGradients(masked);
    const given = (reward: unknown) =>
      ({ ...batch, rewards: [reward, 0.2, 0.25, 0.75] as readonly unknown[] }) as RolloutExperiences;
    const plain = await agent.lossAndGradients({ ...masked, rewards: [0, 0.2, 0.25, 0.75] });
    expect(plain.gradients).not.toEqual(due.gradients);
    for (const reward of BAD)
      expect((await agent.lossAndGradients(given(reward))).gradients).toEqual(plain.gradients);
    expect(await agent.lossAndGradients(given(true))).toEqual(await agent.lossAndGradients(given(1)));

    const twin = agent.clone();
    expect(await twin.learn(given("1"))).toEqual(
      await agent.clone().learn({ ...masked, rewards: [0, 0.2, 0.25, 0.75] }),
    );
    await twin.learn(given(true));
    expect(warn.mock.calls.flat()).toEqual([
      `rlkit: experiences.rewards: found "1" for a reward, allowed finite numbers; ${nothing}; 1 so far`,
      "rlkit: experiences.rewards: found true for a reward, allowed finite numbers; true counts as 1 and false as 0; 1 so far",
    ]);
    // Without any reward there is nothing to learn from, not even by the optimiser's momentum.
    const { policy } = twin.member;
    expect(await twin.learn({ ...batch, rewards: [Number.NaN, Number.NaN, Number.NaN, Number.NaN] })).toEqual(
      { loss: 0 },
    );
    expect(twin.member.policy).toEqual(policy);
  });
});

it("the share of groups with one reward is a metric of the group family", async () => {
  const agent = new GRPO({ actor_network: digits, group_size: 2, batch_size: 2, max_output_tokens: 3 });
  const batch = await played(agent);
  const share = async (rewards: readonly unknown[]) =>
    (await agent.clone().learn({ ...batch, rewards } as RolloutExperiences)).frac_reward_zero_std;
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  expect(await share([1, 1, 0, 1])).toBe(0.5);
  expect(await share([0.1, 0.1, 0.7, 0.7])).toBe(1);
  expect(await share([1, 0, 0, 1])).toBe(0);
  // A single reward is equal to itself; a group without any does not count.
  expect(await share([1, Number.NaN, 0, 1])).toBe(0.5);
  expect(await share([Number.NaN, Number.NaN, 0, 1])).toBe(0);
  const { gradients } = await agent.lossAndGradients({ ...batch, rewards: [0.1, 0.1, 0.7, 0.7] });
  // At first the penalty has no gradient either, because the policy is the reference.
  for (const { data } of gradients.values()) expect(data.every((slope) => slope === 0)).toBe(true);
});

describe("a run", () => {
  /** An environment whose every eighth reward is bad in turn. */
  function faulty() {
    let turn = 0;
    return {
      name: "faulty",
      reset: () => ["12", {}] as const,
      step: (text: string) => {
        const reward = ++turn % 8 === 0 ? [...BAD, true][(turn / 8 - 1) % 7] : text === "3" ? 1 : 0;
        return ["", reward as number, true, false, {}] as const;
      },
    };
  }

  it("goes on to its end with finite metrics, and counts them", async () => {
    const env = faulty();
    const events: TrainingEvent[] = [];
    const fields = { actor_network: digits, batch_size: 2, group_size: 8, lr: 2e-3, max_output_tokens: 1 };
    const [, fitnesses] = await trainLlmRollout({
      pop: [new GRPO(fields)],
      max_turns: 1,
      env_factory: () => RolloutHarness.local(env, { tokenizer, max_output_tokens: 1 }),
      max_steps: 16 * 16,
      evaluation_interval: 4,
      verbose: false,
      observer: { on: (event) => void events.push(event) },
    });
    expect(fitnesses.every(Number.isFinite)).toBe(true);
    const generations = events.filter(({ event }) => event === "generation") as Extract<
      TrainingEvent,
      { event: "generation" }
    >[];
    expect(generations).toHaveLength(16);
    for (const { members } of generations) {
      expect(members[0]?.score).toBeGreaterThanOrEqual(0);
      expect(members[0]?.score).toBeLessThanOrEqual(1);
      for (const value of Object.values(members[0]?.metrics ?? {})) expect(value).toEqual(expect.any(Number));
      expect(Object.values(members[0]?.metrics ?? {}).every(Number.isFinite)).toBe(true);
    }
    const said = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
    const told = (found: string, done: string, count: number) =>
      `environment "faulty": found ${found} for a reward, allowed finite numbers; ${done}; ${count} so far`;
    expect(said).toContain(told("NaN", nothing, 2));
    expect(said.filter((message) => message.includes(nothing))).toHaveLength(2);
    expect(said.filter((message) => message.includes("true counts as 1"))).toHaveLength(1);
  });

  it("ranks a member last whose evaluation has no reward at all", async () => {
    const results = { score: () => "none" };
    const env = { ...faulty(), step: () => ["", results.score() as never, true, false, {}] as const };
    const [, fitnesses] = await trainLlmRollout({
      pop: [new GRPO({ actor_network: digits, batch_size: 1, group_size: 2, max_output_tokens: 1 })],
      max_turns: 1,
      env_factory: () => RolloutHarness.local(env, { tokenizer, max_output_tokens: 1 }),
      max_steps: 4,
      evaluation_interval: 1,
      verbose: false,
      observer: { on: () => undefined },
    });
    expect(fitnesses).toEqual([Number.NaN]);
  });
});

it("a module's rewards cross its sandbox as they are", async () => {
  const { mkdtemp, rm, writeFile } = await import("node:fs/promises");
  const [os, path] = [await import("node:os"), await import("node:path")];
  const folder = await mkdtemp(path.join(os.tmpdir(), "rewards-"));
  await writeFile(
    path.join(folder, "rows.jsonl"),
    '{"prompt":"1"}\n{"prompt":"2"}\n{"prompt":"3"}\n{"prompt":"4"}\n',
  );
  await writeFile(
    path.join(folder, "score.mjs"),
    `const bad = { 1: NaN, 2: undefined, 3: "1", 4: true };
     let calls = 0;
     export const score = (text, answer, { prompt }) => (++calls % 4 ? 0.5 : bad[prompt]);`,
  );
  const { events } = await trained({
    algorithm: { name: "GRPO", batch_size: 4, group_size: 4, max_output_tokens: 1 },
    environment: {
      env_type: "rollout",
      dataset: path.join(folder, "rows.jsonl"),
      rubric_file_path: path.join(folder, "score.mjs"),
      rubric_name: "score",
    },
    network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
    training: { pop_size: 1, max_steps: 32, evaluation_interval: 1, hpo: false },
  });
  const said = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
  expect(said.some((message) => message.includes(nothing))).toBe(true);
  expect(said.some((message) => message.includes("true counts as 1 and false as 0"))).toBe(true);
  await rm(folder, { recursive: true });
});
