/** Options of the training functions of language models, one by one: their defaults, and where what they ask for goes. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { Mutations, TournamentSelection } from "../../src/evolution/index.ts";
import { TimeoutError } from "../../src/evolution/members.ts";
import { DatasetEnv, RolloutHarness } from "../../src/llm/environments.ts";
import { DPO, GRPO, LanguageModel, SFT } from "../../src/llm/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import {
  Accelerator,
  type TrainingEvent,
  trainLlmDataset,
  trainLlmRollout,
} from "../../src/training/index.ts";
import { FakeMlflow, fakeServer } from "../tracking/fakeServer.ts";
import { readEvents } from "../tracking/readEvents.ts";

const digits = await LanguageModel.load("rlkit/tiny-digits");
const { tokenizer } = digits;
afterEach(() => void vi.restoreAllMocks());

const fields = { batch_size: 1, group_size: 2, beta: 0, lr: 1e-4, max_output_tokens: 1, max_model_len: 16 };
const agent = (index = 0, own: object = {}) => new GRPO({ actor_network: digits, index, ...fields, ...own });

/** Rewards nothing, for as many turns as it is let; counts its calls. */
function counted(turns = 1) {
  const calls = { reset: 0, step: 0, close: 0 };
  let turn = 0;
  const env = {
    reset: () => {
      calls.reset++;
      turn = 0;
      return ["1", {}] as const;
    },
    step: () => {
      calls.step++;
      return ["2", calls.step % 2, ++turn === turns, false, { reward_components: { even: 0.5 } }] as const;
    },
    close: () => void calls.close++,
  };
  return { calls, env_factory: () => RolloutHarness.local(env, { tokenizer, max_turns: turns }) };
}

function recorded() {
  const events: TrainingEvent[] = [];
  return { events, observer: { on: (event: TrainingEvent) => void events.push(event) } };
}

const rollout = (own: object = {}) => ({
  pop: [agent()],
  max_turns: 1,
  env_factory: counted().env_factory,
  max_steps: 4,
  verbose: false,
  ...own,
});

const never = {
  no_mutation: 1,
  architecture: 0,
  new_layer_prob: 0,
  parameters: 0,
  activation: 0,
  rl_hp: 0,
};
const tournament = (population_size: number) =>
  new TournamentSelection({ tournament_size: 2, elitism: true, population_size });

describe("options of trainLlmRollout", () => {
  it("max_turns: the smaller of it and the harness's own", async () => {
    for (const [max_turns, own, turns] of [
      [2, 3, 2],
      [3, 1, 1],
    ] as const) {
      const [[trained]] = await trainLlmRollout(
        rollout({ max_turns, env_factory: counted(own).env_factory, max_steps: 1 }),
      );
      expect(trained?.steps).toBe(2 * turns);
    }
  });

  it("evaluation_interval 50 and eval_loop 1, unless given", async () => {
    const { events, observer } = recorded();
    const one = counted();
    await trainLlmRollout(rollout({ env_factory: one.env_factory, max_steps: 102, observer }));
    const evaluated = events.flatMap((event) =>
      event.event === "generation" && !Number.isNaN(event.fitnesses[0]) ? [event.generation] : [],
    );
    expect(evaluated).toEqual([50]);
    expect(one.calls.reset).toBe(51 * 2 + 1);
    const three = counted();
    const [[trained], [fitness]] = await trainLlmRollout(
      rollout({ env_factory: three.env_factory, max_steps: 4, evaluation_interval: 1, eval_loop: 3 }),
    );
    expect(three.calls.reset).toBe(2 * (2 + 3));
    expect(trained?.fitness).toHaveLength(2);
    expect(fitness).toBe(trained?.fitness.at(-1));
  });

  it("max_reward and a rubric's parts are metrics of their own", async () => {
    const { events, observer } = recorded();
    await trainLlmRollout(rollout({ max_reward: 1, observer }));
    const [first] = events.filter((event) => event.event === "generation");
    expect(first?.members[0]?.metrics).toMatchObject({ accuracy: 0.5, reward_even: 0.5 });
  });

  it("csv: all columns from the start, empty before their first value", async () => {
    const store = memoryFileStore();
    await trainLlmRollout(
      rollout({ csv: true, csv_log_dir: "m.csv", store, max_reward: 1, evaluation_interval: 2 }),
    );
    const [header = [], first = []] = new TextDecoder()
      .decode(await store.read("m.csv"))
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    const metrics = ["loss", "kl", "completion_length", "ratio_error", "frac_reward_zero_std", "accuracy"];
    expect(header).toEqual([
      "train/global_step",
      "train/steps_per_second",
      "eval/mean_fitness",
      "eval/best_fitness",
      "train/mean_score",
      ...metrics.map((name) => `train/mean_${name}`),
      "train/agent_0/local_steps",
      "eval/agent_0/fitness",
      "train/agent_0/score",
      ...metrics.map((name) => `train/agent_0/${name}`),
      ...["eval/episodes", "eval/total_episodes", "evolution/ancestors"],
      // Those of a rubric are known with its first rewards.
      "train/mean_reward_even",
      "train/agent_0/reward_even",
    ]);
    expect(first[header.indexOf("eval/agent_0/fitness")]).toBe("");
    expect(first[header.indexOf("train/agent_0/accuracy")]).toBe("0.5");
  });

  it("board and wb: rows, and completions as a table", async () => {
    const store = memoryFileStore();
    const mlflow = new FakeMlflow();
    const server = await fakeServer((asked) => mlflow.answer(asked));
    await trainLlmRollout(
      rollout({
        store,
        board: true,
        board_log_dir: "scalars",
        wb: true,
        tracker_api_key: "key",
        tracker_kwargs: { tracker: "mlflow", tracking_uri: server.address },
        completion_logging: { interval: 2 },
      }),
    );
    await server.close();
    const [run] = await store.list("scalars");
    const [file] = await store.list(`scalars/${run?.name}`);
    const told = readEvents(await store.read(`scalars/${run?.name}/${file?.name}`)).slice(1);
    expect(told.map(({ step }) => step)).toEqual([2, 4]);
    expect(mlflow.metrics.get("train/agent_0/loss")).toHaveLength(2);
    const tables = [...(mlflow.artifacts ?? [])];
    expect(tables.map(([name]) => name)).toEqual([expect.stringMatching(/^tables\/completions_/)]);
    expect(JSON.parse(tables[0]?.[1] ?? "{}")).toMatchObject({
      columns: expect.arrayContaining(["step", "agent_index", "completion"]),
      data: [expect.any(Array), expect.any(Array)],
    });
  });

  it("checkpoint_path alone keeps the end, elite_path is its place without; all agents, the best one, init_hp", async () => {
    const store = memoryFileStore();
    const pop = [agent(0), agent(1)];
    const init_hp = { BATCH_SIZE: 2, note: "mine" };
    await trainLlmRollout(
      rollout({ pop, max_steps: 8, evaluation_interval: 1, checkpoint_path: "end", init_hp, store }),
    );
    const names = (await store.list("end_8")).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["elite.safetensors", "member_0.safetensors", "member_1.safetensors"]),
    );
    const record = JSON.parse(new TextDecoder().decode(await store.read("end_8/run.json")));
    expect(record.manifest).toEqual({ init_hp });
    const other = { pop: [agent()], checkpoint_steps: 1, elite_path: "best", save_elite: true, store };
    await trainLlmRollout(rollout({ ...other, max_steps: 2, evaluation_interval: 1 }));
    expect((await store.list("")).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["best", "best_2"]),
    );
  });

  it("tournament is another name of selection_strategy, warned of once", async () => {
    const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const own = { evo_steps: 1, mutation: new Mutations(never), evaluation_interval: 1, max_steps: 4 };
    const { events, observer } = recorded();
    await trainLlmRollout(rollout({ ...own, tournament: tournament(1), observer }));
    await trainLlmRollout(rollout({ ...own, tournament: tournament(1) }));
    const told = said.mock.calls.filter(([text]) => String(text).includes("tournament is deprecated"));
    expect(told).toHaveLength(1);
    const lineages = events.flatMap((event) => (event.event === "generation" ? [event.lineage.length] : []));
    expect(lineages).toEqual([0, 1]);
  });

  it.each([
    ["architecture", "architecture"],
    ["new_layer_prob", "new layer"],
    ["parameters", "parameters"],
    ["activation", "activation"],
  ])("mutation: a probability of %s is refused", async (key, called) => {
    const mutation = new Mutations({ ...never, [key]: 0.2 });
    await expect(trainLlmRollout(rollout({ mutation }))).rejects.toThrow(
      `Probability of ${called} mutation must be 0 for language models, found 0.2`,
    );
  });

  it("io_timeout_s: harnesses are closed after a round that is late, and none is without a deadline", async () => {
    const silent = { close: vi.fn<() => void>() };
    const env = { reset: () => ["1", {}], step: () => new Promise<never>(() => undefined), ...silent };
    const env_factory = () => RolloutHarness.local(env as never, { tokenizer });
    await expect(trainLlmRollout(rollout({ env_factory, io_timeout_s: 0.01 }))).rejects.toThrow(TimeoutError);
    expect(silent.close).toHaveBeenCalledTimes(2);
    const plain = counted();
    await trainLlmRollout(rollout({ env_factory: plain.env_factory, io_timeout_s: null }));
    expect(plain.calls.close).toBe(2);
  });

  it("verbose: progress and a table of each iteration, and the first completion of each record", async () => {
    const written: string[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    await trainLlmRollout(rollout({ verbose: undefined, completion_logging: { interval: 2 } }));
    const text = written.join("");
    expect(text).toMatch(/Training finished: 4 steps/);
    expect(text.match(/"1" -> "/g)).toHaveLength(1);
    written.length = 0;
    await trainLlmRollout(rollout());
    expect(written.join("")).toBe("");
  });

  it("completion_logging: a file of lines, and after a fault the latest ones at error level", async () => {
    const store = memoryFileStore();
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { events, observer } = recorded();
    let steps = 0;
    const env = {
      reset: () => ["1", {}] as const,
      step: () => {
        if (++steps > 4) throw new Error("out of order");
        return ["", 1, true, false, {}] as const;
      },
    };
    const training = trainLlmRollout(
      rollout({
        env_factory: () => RolloutHarness.local(env, { tokenizer }),
        max_steps: 100,
        completion_logging: { interval: 1, history_size: 3, jsonl_path: "deep/in/c.jsonl" },
        store,
        observer,
      }),
    );
    await expect(training).rejects.toThrow(/out of order/);
    const lines = new TextDecoder()
      .decode(await store.read("deep/in/c.jsonl"))
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).step)).toEqual([1, 1, 2, 2]);
    const last = events.filter((event) => event.event === "completions").at(-1);
    expect(last).toMatchObject({ level: "error", records: [{ step: 1 }, { step: 2 }, { step: 2 }] });
    expect(said.mock.calls).toEqual([
      [expect.stringMatching(/^rlkit: training failed; the latest completions:(\n1 {2}"1" -> ".*"){3}$/)],
    ]);
  });

  it("completion_logging: refuses counts below 1", async () => {
    await expect(trainLlmRollout(rollout({ completion_logging: { interval: 0 } }))).rejects.toThrow(
      /completion_logging.interval/,
    );
  });

  it("device and accelerator: the agents' own, in this thread", async () => {
    await expect(trainLlmRollout(rollout({ device: "webgpu" }))).rejects.toThrow(
      'device: found "webgpu", and the agents\' model is on "wasm"; load it by LanguageModel.load(path, { device: "webgpu" })',
    );
    const { events, observer } = recorded();
    const accelerator = new Accelerator({ device: "cpu", workers: 2 });
    await trainLlmRollout(rollout({ accelerator, device: "webgpu", observer }));
    expect(events.flatMap((event) => (event.event === "warning" ? [event.message] : []))).toEqual([
      expect.stringMatching(/^accelerator.workers is 2, which has no effect here: .* one thread/),
    ]);
  });

  it("seed and onRun: draws follow the one, the other has the run in its hands", async () => {
    const scores = async (seed: number) => {
      const { events, observer } = recorded();
      const env_factory = () => RolloutHarness.local("rlkit/ConstantTarget", { tokenizer });
      await trainLlmRollout(
        rollout({ pop: [agent(0, { batch_size: 8 })], env_factory, max_steps: 64, seed, observer }),
      );
      return events.flatMap((event) => (event.event === "generation" ? [event.members[0]?.score] : []));
    };
    expect(await scores(1)).toEqual(await scores(1));
    expect(await scores(1)).not.toEqual(await scores(2));
    const { events, observer } = recorded();
    await trainLlmRollout(
      rollout({ max_steps: 1e6, observer, onRun: (run: { stop(): void }) => run.stop() }),
    );
    expect(events.at(-1)).toMatchObject({ event: "end", reason: "stopped" });
  });

  it("max_steps: 32,768 unless given", async () => {
    const { events, observer } = recorded();
    const pop = [agent(0, { batch_size: 64, group_size: 8 })];
    // As if it had trained all but two iterations.
    for (const member of pop) member.steps = 32_768 - 2 * 512;
    const env_factory = () => RolloutHarness.local("rlkit/ConstantTarget", { tokenizer });
    await trainLlmRollout(rollout({ pop, max_steps: undefined, env_factory, observer }));
    const steps = events.flatMap((event) => (event.event === "generation" ? [event.global_step] : []));
    expect(steps).toEqual([32_256, 32_768]);
  });
});

describe("faults of trainLlmRollout", () => {
  it("a member whose loss is not finite is out of selection, and the others go on", async () => {
    const { events, observer } = recorded();
    const lasting = { batch_size: 4, micro_batch_size_per_gpu: 2 };
    const [population, fitnesses] = await trainLlmRollout(
      rollout({
        pop: [agent(0, lasting), agent(1, { ...lasting, lr: 1e30 })],
        env_factory: () => RolloutHarness.local("rlkit/ConstantTarget", { tokenizer }),
        max_steps: 64,
        evaluation_interval: 1,
        evo_steps: 2,
        selection_strategy: tournament(2),
        mutation: new Mutations(never),
        observer,
      }),
    );
    const warnings = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
    expect(warnings.join("\n")).toMatch(/member 1.*(NaN|not finite)/);
    expect(population.map(({ hyperparameters }) => hyperparameters.lr)).toEqual([1e-4, 1e-4]);
    expect(fitnesses.every(Number.isFinite)).toBe(true);
  });
});

describe("options of trainLlmDataset", () => {
  const sides = { prompt: "0", chosen: "1", rejected: "2", response: "1" };
  const env_fn = (objective: "sft" | "preference", rows = 24) =>
    new DatasetEnv({ train: Array.from({ length: rows }, () => sides), tokenizer, objective });
  const small = { actor_network: digits, batch_size: 8, lr: 1e-3, max_model_len: 16 };

  it("the class of the agents decides what is learned: preferences by DPO", async () => {
    const { events, observer } = recorded();
    await trainLlmDataset({
      pop: [new DPO(small)],
      env_fn: () => env_fn("preference", 96),
      verbose: false,
      observer,
    });
    const generations = events.filter((event) => event.event === "generation");
    expect(generations).toHaveLength(12);
    const margins = generations.map(({ members }) => members[0]?.metrics.reward_margin ?? 0);
    expect(margins.at(-1)).toBeGreaterThan(margins[0] ?? 0);
    // Every 10 iterations, unless given.
    expect(generations.map(({ fitnesses: [fitness] }) => Number.isNaN(fitness))).toEqual(
      Array.from({ length: 12 }, (_, i) => i !== 9),
    );
  });

  it("evolves every evo_steps iterations, and keeps checkpoints without", async () => {
    const { events, observer } = recorded();
    const pop = [0, 1].map((index) => new SFT({ ...small, index }));
    await trainLlmDataset({
      pop,
      env_fn: () => env_fn("sft"),
      max_steps: 64,
      evaluation_interval: 1,
      evo_steps: 2,
      selection_strategy: tournament(2),
      mutation: new Mutations(never),
      verbose: false,
      observer,
    });
    expect(events.flatMap((event) => (event.event === "generation" ? [event.lineage.length] : []))).toEqual([
      0, 0, 2, 0,
    ]);
    const store = memoryFileStore();
    await trainLlmDataset({
      pop: [new SFT(small)],
      env_fn: () => env_fn("sft"),
      checkpoint_steps: 2,
      checkpoint_path: "kept",
      verbose: false,
      store,
    });
    expect((await store.list("")).map(({ name }) => name).toSorted()).toEqual(["kept_16", "kept_24"]);
  });

  it.each(["max_turns", "max_wall_seconds", "io_timeout_s", "eval_loop", "max_reward", "completion_logging"])(
    "has no %s",
    async (name) => {
      const options = { pop: [new SFT(small)], env: env_fn("sft"), verbose: false, [name]: 1 };
      await expect(trainLlmDataset(options as never)).rejects.toThrow(
        `trainLlmDataset: unknown option ${name}`,
      );
    },
  );
});
