/** Training functions of language models: each row of their interface (4.6, 4.7). */
import { describe, expect, it, vi } from "vitest";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../src/evolution/index.ts";
import { builtInDataset, DatasetEnv, RolloutHarness } from "../../src/llm/environments.ts";
import { DPO, GRPO, LanguageModel, LLMREINFORCE, SFT } from "../../src/llm/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { type TrainingEvent, trainLlmDataset, trainLlmRollout } from "../../src/training/index.ts";

const digits = await LanguageModel.load("rlkit/tiny-digits");
const letters = await LanguageModel.load("rlkit/tiny-letters");
const { tokenizer } = digits;

const evolving = (index = 0, fields: object = {}) =>
  new GRPO({
    actor_network: digits,
    index,
    batch_size: 4,
    group_size: 4,
    beta: 0,
    lr: 2e-3,
    temperature: 0.7,
    max_grad_norm: 1,
    max_output_tokens: 1,
    max_model_len: 16,
    hp_config: new HyperparameterConfig({ lr: new RLParameter({ min: 1e-4, max: 1e-2 }) }),
    ...fields,
  });

const constant = () => RolloutHarness.local("rlkit/ConstantTarget", { tokenizer, max_output_tokens: 1 });

const recorded = () => {
  const events: TrainingEvent[] = [];
  return { events, observer: { on: (event: TrainingEvent) => void events.push(event) } };
};

const quiet = { verbose: false, observer: { on: () => undefined } };
const generationsOf = (events: readonly TrainingEvent[]) =>
  events.filter((event) => event.event === "generation");
const warningsOf = (events: readonly TrainingEvent[]) =>
  events.filter((event) => event.event === "warning").map(({ message }) => message);

const rollout = (fields: object = {}) => ({
  pop: [evolving()],
  max_turns: 1,
  env_factory: constant,
  max_steps: 64,
  ...quiet,
  ...fields,
});

describe("trainLlmRollout", () => {
  it("trains until the population's turns reach max_steps, and leaves pop as it is", async () => {
    const pop = [evolving(0), evolving(1)];
    const { events, observer } = recorded();
    const [population, fitnesses] = await trainLlmRollout(
      rollout({ pop, max_steps: 320, max_reward: 1, evaluation_interval: 5, eval_loop: 8, observer }),
    );
    const generations = generationsOf(events);
    expect(generations).toHaveLength(10);
    expect(generations.at(-1)?.global_step).toBe(320);
    // Each of a member's 16 rollouts is an episode, which ends with the iteration.
    for (const { training = [], steps, score } of generations.flatMap(({ members }) => members)) {
      expect(training.map(([step]) => step)).toEqual(Array.from({ length: 16 }, () => steps));
      expect(training.reduce((sum, [, ret]) => sum + ret, 0) / 16).toBeCloseTo(score ?? Number.NaN, 5);
    }
    expect(generations.at(-1)?.members[0]?.metrics.accuracy).toBeGreaterThan(0.8);
    expect(population.map(({ steps }) => steps)).toEqual([160, 160]);
    expect(population[0]).toBeInstanceOf(GRPO);
    expect(pop.map(({ steps, fitness }) => [steps, fitness.length])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(fitnesses).toEqual(population.map(({ fitness }) => fitness.at(-1)));
    expect(generations.map(({ lineage }) => lineage.length)).toEqual(Array.from({ length: 10 }, () => 0));
  });

  it("gives NaN for agents that were never evaluated", async () => {
    const [, fitnesses] = await trainLlmRollout(rollout());
    expect(fitnesses).toEqual([Number.NaN]);
  });

  it("calls env_factory once for each trajectory, of the agent's own group size, and once for evaluations", async () => {
    const env_factory = vi.fn<() => RolloutHarness>(constant);
    await trainLlmRollout(rollout({ env_factory, max_steps: 64, evaluation_interval: 2 }));
    expect(env_factory).toHaveBeenCalledTimes(4 * 4 + 1);
    const smaller = vi.fn<() => RolloutHarness>(constant);
    await trainLlmRollout(rollout({ env_factory: smaller, init_hp: { BATCH_SIZE: 2 }, max_steps: 16 }));
    expect(smaller).toHaveBeenCalledTimes(2 * 4);
  });

  it("evolves every evo_steps iterations, and saves the elite in a directory", async () => {
    const store = memoryFileStore();
    const { events, observer } = recorded();
    const [population] = await trainLlmRollout(
      rollout({
        pop: [evolving(0), evolving(1)],
        max_steps: 32 * 5,
        evaluation_interval: 1,
        evo_steps: 2,
        selection_strategy: new TournamentSelection({
          tournament_size: 2,
          elitism: true,
          population_size: 2,
        }),
        mutation: new Mutations({
          no_mutation: 0,
          architecture: 0,
          new_layer_prob: 0,
          parameters: 0,
          activation: 0,
          rl_hp: 1,
        }),
        save_elite: true,
        elite_path: "best",
        checkpoint_steps: 1,
        store,
        observer,
      }),
    );
    expect(generationsOf(events).map(({ lineage }) => lineage.length > 0)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(population.some(({ mut }) => mut === "lr")).toBe(true);
    const files = (await store.list("best")).map(({ name }) => name).sort();
    expect(files).toEqual([
      "actor",
      "attributes.json",
      "checksums.json",
      "optimizer.safetensors",
      "reference",
    ]);
    expect(warningsOf(events).join("\n")).toMatch(/checkpoint_steps is given with evolution/);
    const again = evolving();
    await again.loadCheckpoint("best", { store });
    expect(again.steps).toBe(80);
  });

  it("writes checkpoints of all agents every checkpoint_steps iterations, and one at the end", async () => {
    const store = memoryFileStore();
    const { events, observer } = recorded();
    await trainLlmRollout(
      rollout({ max_steps: 48, checkpoint_steps: 2, checkpoint_path: "kept", store, observer }),
    );
    expect(events.flatMap((event) => (event.event === "checkpoint" ? [event.path] : []))).toEqual([
      "kept_32",
      "kept_48",
    ]);
    expect((await store.list("kept_48")).map(({ name }) => name)).toContain("member_0.safetensors");
  });

  it("writes a row an iteration to a CSV file, with all columns from the start", async () => {
    const store = memoryFileStore();
    await trainLlmRollout(
      rollout({ csv: true, csv_log_dir: "logs/m.csv", store, max_reward: 1, evaluation_interval: 2 }),
    );
    const lines = new TextDecoder()
      .decode(await store.read("logs/m.csv"))
      .trimEnd()
      .split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/train\/agent_0\/loss.*train\/agent_0\/kl/);
    expect(lines[0]).toContain("eval/agent_0/fitness");
  });

  it("ends by wall clock after the iteration under way", async () => {
    const { events, observer } = recorded();
    await trainLlmRollout(rollout({ max_steps: 1e9, max_wall_seconds: 1e-6, observer }));
    expect(generationsOf(events).length).toBeLessThanOrEqual(1);
    expect(events.at(-1)).toMatchObject({ event: "end", reason: "max_wall_seconds" });
  });

  it("ends with a TimeoutError for an environment that does not answer", async () => {
    const env = { reset: () => ["1", {}] as const, step: () => new Promise<never>(() => undefined) };
    const env_factory = () => RolloutHarness.local(env, { tokenizer, max_output_tokens: 1 });
    await expect(trainLlmRollout(rollout({ env_factory, io_timeout_s: 0.05 }))).rejects.toThrow(
      /step of turn 1: 16 of 16 did not finish within 0.05 s/,
    );
  });

  it("ends after eight iterations without a turn", async () => {
    const env = {
      reset: () => ["1234123412341234", {}] as const,
      step: () => ["", 0, true, false, {}] as const,
    };
    const env_factory = () =>
      RolloutHarness.local(env, { tokenizer, max_output_tokens: 1, max_model_len: 8 });
    await expect(trainLlmRollout(rollout({ env_factory }))).rejects.toThrow(
      /8 iterations in a row had no turn/,
    );
  });

  const other = new LLMREINFORCE({ actor_network: digits });
  const wrong = new SFT({ actor_network: letters });
  const selection_strategy = new TournamentSelection({
    tournament_size: 2,
    elitism: true,
    population_size: 1,
  });
  const mutations = (probabilities: object) =>
    new Mutations({
      no_mutation: 1,
      architecture: 0,
      new_layer_prob: 0,
      parameters: 0,
      activation: 0,
      rl_hp: 0,
      ...probabilities,
    });

  it.each([
    [{ pop: [] }, /pop: found an empty population/],
    [{ pop: [evolving(), other] }, /found agents of GRPO and LLMREINFORCE, allowed one class/],
    [{ pop: [wrong] }, /pop\[0\]: found a SFT agent, allowed agents of LLMPPO/],
    [{ max_turns: undefined }, /max_turns is missing/],
    [{ max_turns: 0 }, /max_turns: found 0, allowed integers from 1/],
    [{ env_factory: undefined }, /env_factory is missing/],
    [{ env_factory: () => ({}) }, /env_factory: gave object, allowed a RolloutHarness/],
    [{ csv: true }, /csv_log_dir: found nothing/],
    [{ io_timeout_s: 0 }, /io_timeout_s: found 0, allowed numbers above 0/],
    [{ max_step: 3 }, /max_step.*max_steps/],
    [
      { mutation: mutations({ architecture: 0.2 }) },
      /Probability of architecture mutation must be 0 for language models, found 0.2/,
    ],
    [{ selection_strategy, mutation: mutations({}) }, /evo_steps is missing/],
    [
      {
        selection_strategy: new TournamentSelection({
          tournament_size: 2,
          elitism: false,
          population_size: 1,
        }),
      },
      /found one without elitism/,
    ],
  ] as const)("refuses what is wrong, $#", async (fields, message) => {
    await expect(trainLlmRollout(rollout(fields) as never)).rejects.toThrow(message);
  });

  it("warns of evo_steps without selection and mutation, and of elite_path without save_elite", async () => {
    const { events, observer } = recorded();
    await trainLlmRollout(rollout({ max_steps: 16, evo_steps: 2, elite_path: "x", observer }));
    expect(warningsOf(events)).toEqual([
      expect.stringMatching(/evo_steps is given without both/),
      expect.stringMatching(/elite_path is given without save_elite/),
    ]);
  });
});

describe("trainLlmDataset", () => {
  const rows = builtInDataset("rlkit/backwards");
  if (!rows) throw new Error("rlkit/backwards is gone");
  const train = rows.train.slice(0, 64);
  const labelled = () =>
    new DatasetEnv({
      train,
      test: rows.test.slice(0, 16),
      tokenizer: letters.tokenizer,
      objective: "sft",
      data_batch_size_per_gpu: 16,
    });
  const reader = (index = 0) =>
    new SFT({ actor_network: letters, index, batch_size: 16, lr: 2e-3, max_grad_norm: 1, max_model_len: 16 });

  it("takes one epoch unless told otherwise, and num_epochs of them when told", async () => {
    const { events, observer } = recorded();
    await trainLlmDataset({ pop: [reader()], env: labelled(), verbose: false, observer });
    expect(generationsOf(events)).toHaveLength(4);
    // Labelled rows have no episodes.
    expect(generationsOf(events)[0]?.members[0]).not.toHaveProperty("training");
    const more = recorded();
    const [population, fitnesses] = await trainLlmDataset({
      pop: [reader()],
      env_fn: labelled,
      num_epochs: 3,
      max_steps: 16,
      evaluation_interval: 4,
      verbose: false,
      observer: more.observer,
    });
    expect(generationsOf(more.events)).toHaveLength(12);
    expect(warningsOf(more.events)).toEqual([expect.stringMatching(/num_epochs is used/)]);
    const losses = generationsOf(more.events).map(({ members }) => members[0]?.metrics.loss ?? 0);
    expect(losses.at(-1)).toBeLessThan(losses[0] ?? 0);
    expect(population[0]?.steps).toBe(192);
    expect(fitnesses[0]).toBeLessThan(0);
  });

  it("shares the rows of env and of env_fn alike: each agent takes all of them from its own place", async () => {
    const env_fn = vi.fn<typeof labelled>(labelled);
    const run = async (source: object, members: readonly number[]) => {
      const { events, observer } = recorded();
      const pop = members.map((index) => reader(index));
      const max_steps = 64 * members.length;
      await trainLlmDataset({ pop, max_steps, verbose: false, observer, ...source });
      expect(warningsOf(events)).toEqual([]);
      return generationsOf(events).map((event) => event.members.map(({ metrics }) => metrics.loss));
    };
    const two = await run({ env: labelled() }, [0, 1]);
    expect(two).toHaveLength(4);
    expect(await run({ env_fn }, [0, 1])).toEqual(two);
    expect(env_fn).toHaveBeenCalledOnce();
    // An agent learns from the same batches with and without another one beside it.
    expect((await run({ env: labelled() }, [0])).flat()).toEqual(two.map(([loss]) => loss));
  });

  it.each([
    [{ env: null }, /neither env nor env_fn/],
    [{ env_fn: labelled }, /both env and env_fn/],
    [{ pop: [evolving()] }, /pop\[0\]: found a GRPO agent, allowed agents of DPO, KTO, SFT/],
    [{ pop: [new DPO({ actor_network: letters })] }, /objective "sft", allowed "preference" for DPO/],
    [{ env: null, env_fn: () => ({}) }, /env_fn: gave object, allowed a DatasetEnv/],
    [{ max_turns: 1 }, /max_turns/],
  ] as const)("refuses what is wrong, $#", async (fields, message) => {
    await expect(
      trainLlmDataset({ pop: [reader()], env: labelled(), ...quiet, ...fields } as never),
    ).rejects.toThrow(message);
  });
});
