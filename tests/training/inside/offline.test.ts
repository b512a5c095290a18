/** Populations that learn from a data set, through the trainer and the training function. */
// @apart: it registers an environment.

import { beforeAll, describe, expect, it } from "vitest";
import { createPopulation, PrioritizedReplayBuffer, ReplayBuffer } from "../../../src/agents/classes.ts";
import { type DatasetArrays, datasetOf } from "../../../src/datasets/index.ts";
import { Mutations, TournamentSelection } from "../../../src/evolution/index.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import {
  findCompiledEnvironment,
  loadEnvironment,
  make,
  makeVector,
  registerEnvironment,
} from "../../../src/rl/environments.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import type { TrainingEvent } from "../../../src/tracking/index.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import { Accelerator, LocalTrainer, trainOffline } from "../../../src/training/index.ts";
import { TrainingRun } from "../../../src/training/loop.ts";
import { initialMembers, initialState } from "../../../src/training/plan.ts";
import { dealt, readRunData } from "../../../src/training/rl/datasetReplay.ts";
import { reinforcementLearning } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { keepThreads } from "../../workers/inside/support/keptThreads.ts";
import { EVOLUTION, NETWORK, statesOf, type Trained, trained } from "../support/tiny.ts";
import { ARRAYS, cqn, dataStore, EPISODES, STEPS } from "../support/tinyData.ts";

keepThreads();
// Brings in the pool of workers.

let store: FileStore;
beforeAll(async () => {
  store = await dataStore();
});

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  dataset: state.replay?.dataset,
});

/** Arrays as what is opened again for each reading. */
const opening = (arrays: DatasetArrays) => async () => ({
  dataset: datasetOf(arrays),
  close: () => undefined,
});

const environment = (changes: object) => ({ ...(cqn().environment as object), ...changes });

describe("a run from a data set", () => {
  it("counts learning steps, and plays only to be evaluated", async () => {
    const { population, recorder, state } = await trained(cqn({ store }));
    expect(population.map(({ steps }) => steps)).toEqual([180, 180]);
    for (const { members, global_step, generation } of recorder.generations) {
      expect(global_step).toBe(120 * generation);
      expect(members.map(({ learn_steps, score }) => [learn_steps, score])).toEqual([
        [60, null],
        [60, null],
      ]);
      expect(Object.keys(members[0]?.metrics ?? {})).toEqual([
        "loss",
        "conservative_loss",
        "q_mean",
        "td_error",
        "grad_norm",
      ]);
    }
    expect(recorder.warnings).toEqual([]);
    expect(state.replay?.rings.map(({ count }) => count)).toEqual([
      Math.ceil(STEPS / 2),
      Math.floor(STEPS / 2),
    ]);
    expect(state.replay?.dataset).toMatchObject({ source: "data-v0", rows: STEPS });
  });

  it("ends with the same bits from a folder, a flat file, and in workers", async () => {
    const evolving = { ...EVOLUTION, store, seed: 7 };
    const here = end(await trained(cqn(evolving)));
    const flat = end(
      await trained(cqn({ ...evolving, environment: environment({ dataset_path: "flat.hdf5" }) as never })),
    );
    expect(flat.members).toEqual(here.members);
    expect(flat.dataset).toEqual({ ...here.dataset, source: "flat.hdf5" });
    const accelerator = new Accelerator({ workers: 2 });
    expect(end(await trained(cqn({ ...evolving, accelerator })))).toEqual(here);
  });

  it("goes on from a checkpoint, which holds no data, with the same bits", async () => {
    const options = { ...EVOLUTION, store, seed: 7, training: { max_steps: 240 } };
    const expected = end(await trained(cqn(options)));
    const { recorder } = await trained(cqn(options), {
      checkpoint_steps: 1,
      checkpoint_path: "kept/c",
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    });
    const path = recorder.checkpoints.at(-1) as string;
    const names = (await store.list(path)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("replay"))).toEqual([]);
    const record = JSON.parse(new TextDecoder().decode(await store.read(`${path}/run.json`)));
    expect(record.replay.dataset).toEqual(expected.dataset);
    const { seed: _, ...unseeded } = options;
    const resumed = await trained(cqn({ ...unseeded, resume_from_checkpoint: path }));
    expect(end(resumed)).toEqual(expected);
    // Fewer rows are other data.
    const replay_buffer = { kind: "classic", max_size: 100 } as const;
    await expect(trained(cqn({ ...unseeded, replay_buffer, resume_from_checkpoint: path }))).rejects.toThrow(
      /found 100 transitions with SHA-256 [0-9a-f]{64}, and kept\/c_\d+ learned from \d+ of data-v0/,
    );
  });

  it("is ranked by values that are fitted to the data, with the same bits in workers and after a resume", async () => {
    const training = { max_steps: 120, fitness: "fqe", fqe_steps: 20, held_out: 0.3 };
    const options = { ...EVOLUTION, store, seed: 7, training };
    const whole = await trained(cqn(options));
    const [{ recorder }, expected] = [whole, end(whole)];
    const { rings = [], held } = whole.state.replay ?? {};
    const taught = rings.reduce((sum, { count }) => sum + count, 0);
    expect(held?.start).toBe(taught);
    expect(held?.lengths.reduce((a, b) => a + b, 0)).toBe(STEPS - taught);
    expect(held?.lengths).toHaveLength(Math.round(0.3 * EPISODES.length));
    for (const { fitness, metrics } of recorder.generations.flatMap(({ members }) => members)) {
      expect(metrics.fqe_low).toBeLessThanOrEqual(fitness);
      expect(metrics.fqe_high).toBeGreaterThanOrEqual(fitness);
      // Steps of CartPole, of which none is worth less than another.
      expect(metrics.mean_return).toBeGreaterThan(1);
    }
    expect(end(await trained(cqn({ ...options, accelerator: new Accelerator({ workers: 2 }) })))).toEqual(
      expected,
    );
    const half = { ...options, training: { ...training, max_steps: 60 } };
    const { recorder: first } = await trained(cqn(half), { checkpoint_steps: 1, checkpoint_path: "fqe/c" });
    const { seed: _, ...unseeded } = options;
    const path = first.checkpoints.at(-1) as string;
    expect(end(await trained(cqn({ ...unseeded, resume_from_checkpoint: path })))).toEqual(expected);
  });

  it("has no fitness where an estimate diverges, and says so", async () => {
    const training = { max_steps: 60, fitness: "fqe", fqe_steps: 30, fqe_lr: 1e6 };
    await expect(trained(cqn({ store, training }))).rejects.toThrow("fitted Q evaluation diverged");
    const { manifest } = new LocalTrainer(cqn({ training }));
    expect(reinforcementLearning.runs.deviceOf(manifest, "webgpu")).toEqual({
      device: "wasm",
      notice: expect.stringContaining("(fitness: fqe) runs on wasm"),
    });
  });

  it("keeps the newest rows where the memory has less room, and says both numbers", async () => {
    const replay_buffer = { kind: "classic", max_size: 60 } as const;
    const { recorder, state } = await trained(cqn({ store, replay_buffer }));
    expect(recorder.warnings).toEqual([
      `replay_buffer.max_size is 60: of ${STEPS} rows of the data set the newest 60 are kept`,
    ]);
    const observations: number[] = [];
    for await (const { rows } of state.replay?.data?.() ?? []) observations.push(...rows.obs);
    expect(observations).toEqual([...Float32Array.from(ARRAYS.observations.slice(-60).flat())]);
  });

  it("warns of settings that have no effect", async () => {
    const mutation = { rl_hp_selection: { learn_step: { min: 1, max: 9 }, lr: { min: 1e-4, max: 1e-2 } } };
    const trainer = new LocalTrainer(
      cqn({
        store,
        mutation,
        selection_strategy: EVOLUTION.selection_strategy,
        training: { learning_delay: 5, max_steps: 60 },
        replay_buffer: { kind: "classic", n_step_buffer: true },
      } as never),
    );
    const { recorder } = await trained(trainer);
    expect(recorder.warnings.join("\n")).toContain("mutation.rl_hp_selection.learn_step has no effect");
    expect(recorder.warnings.join("\n")).toContain("training.learning_delay has no effect");
    expect(recorder.warnings.join("\n")).toContain("replay_buffer.n_step_buffer has no effect");
  });

  it.each<[string, object, string]>([
    [
      "no data set",
      { dataset_path: null },
      "environment.dataset_path: is missing: CQN learns from a data set",
    ],
    ["a path that is not there", { dataset_path: "nowhere" }, "nowhere: no such file or folder"],
    [
      "an id that is not cached",
      { dataset_path: null, hub_dataset_id: "cartpole/random-v0" },
      "cartpole/random-v0: is not in the cache",
    ],
    [
      "what is no id",
      { dataset_path: null, hub_dataset_id: "../../etc-v0" },
      'hub_dataset_id: found "../../etc-v0"',
    ],
    ["data of another environment", { name: "Acrobot-v1" }, "found rows of shape [4], allowed [6]"],
  ])("does not start with %s", async (_name, changes, message) => {
    const started = async () => trained(cqn({ store, environment: environment(changes) as never }));
    await expect(started()).rejects.toThrow(message);
  });

  it("takes a caller's memory, which holds the data afterwards", async () => {
    const memory = new ReplayBuffer({ max_size: STEPS + 1 });
    const { state } = await trained(cqn({ store, replay_buffer: memory }));
    expect(memory.size).toBe(STEPS);
    expect(state.replay?.dataset?.rows).toBe(STEPS);
    await expect(trained(cqn({ store, replay_buffer: memory }))).rejects.toThrow("call clear() first");
  });
});

it("a data set that others write while a run learns from it ends the run", async () => {
  const rewards = Float32Array.from(ARRAYS.rewards);
  const data = await readRunData(
    opening({ ...ARRAYS, rewards }),
    findCompiledEnvironment("CartPole-v1"),
    null,
    "max_size",
  );
  const read = async () => {
    for await (const { count } of data.blocks()) expect(count).toBe(STEPS);
  };
  await read();
  rewards.reverse();
  await read();
  rewards[3] = 2;
  await expect(read()).rejects.toThrow("its rows have changed since this run first read them");
});

describe("on WebGPU", () => {
  /** CartPole as JavaScript steps it. */
  const hosted = "test/OfflineCartPole-v1";
  beforeAll(async () => {
    const { observation_space, action_space, max_episode_steps } = findCompiledEnvironment("CartPole-v1");
    const facts = { observation_space, action_space, max_episode_steps, reward_threshold: null };
    registerEnvironment({ id: hosted, ...facts, load: async () => () => make("CartPole-v1") });
    await loadEnvironment(hosted);
  });

  it.each([
    ["whole turns", 1, "CartPole-v1"],
    ["slices", 16, "CartPole-v1"],
    ["slices, and are evaluated on the host", 16, hosted],
  ])("members learn what they learn on wasm, in %s", async (_name, busy, name) => {
    const options = {
      store,
      environment: environment({ name }) as never,
      training: { max_steps: 60, evo_steps: 30 },
      algorithm: { batch_size: 70 },
      seed: 3,
    };
    const expected = await trained(cqn(options));
    const device = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
    const executor = new GpuExecutor({ open: async () => device, keepsDevice: true, busy });
    const { manifest } = new LocalTrainer(cqn(options));
    const layout = findCompiledEnvironment("CartPole-v1");
    const data = await readRunData(opening(ARRAYS), layout, null, "max_size");
    const members = initialMembers(manifest, layout, options.seed);
    const run = new TrainingRun(
      { ...initialState(manifest, members, layout), replay: dealt(data, members.length) },
      {
        ...reinforcementLearning.runs.prepare(manifest, options.seed),
        executor,
        observer: { on: () => undefined },
      },
    );
    await run.train();
    await executor.close();
    const names = device.kernels().map(({ name }) => name);
    device.close();
    expect(names.toSorted()).toEqual(
      [
        ...(busy === 1 ? ["CQN.lessons"] : ["CQN.gradients", "CQN.draw"]),
        ...(name === hosted ? [] : ["CQN.evaluate"]),
      ].toSorted(),
    );
    expect(run.state.members.map(({ steps }) => steps)).toEqual([60, 60]);
    expect(run.state.replay?.rings).toEqual(expected.state.replay?.rings);
    const fitnesses = run.state.members.flatMap(({ fitness }) => fitness);
    const known = expected.state.members.flatMap(({ fitness }) => fitness);
    fitnesses.forEach((value, i) => expect(Math.abs(value / (known[i] as number) - 1)).toBeLessThan(1e-3));
  });
});

describe("trainOffline", () => {
  const env = () => makeVector("CartPole-v1", 4);
  const pop = () => {
    const { single_observation_space: observation_space, single_action_space: action_space } = env();
    const fields = { observation_space, action_space, net_config: NETWORK, seed: 3 };
    const algorithm = { name: "CQN", batch_size: 8, lr: 0.01 } as const;
    return createPopulation({ algorithm, ...fields, population_size: 2 });
  };
  const quiet = {
    env_name: "CartPole-v1",
    algo: "CQN",
    verbose: false,
    max_steps: 60,
    evo_steps: 30,
    eval_steps: 20,
  } as const;
  const memory = () => new ReplayBuffer({ max_size: 2 * STEPS });

  it("trains from arrays, typed or not, with every parameter of the interface", async () => {
    const checkpoints: string[] = [];
    const own = new ReplayBuffer({ max_size: 3 * STEPS });
    const [population, fitnesses] = await trainOffline({
      ...quiet,
      env: env(),
      pop: pop(),
      memory: own,
      dataset: ARRAYS,
      hub_dataset_id: null,
      remote: false,
      init_hp: { BATCH_SIZE: 8 },
      mut_p: { NO_MUT: 1 },
      eval_loop: 2,
      target: 1000,
      selection_strategy: new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 }),
      mutation: new Mutations({
        no_mutation: 1,
        architecture: 0,
        new_layer_prob: 0,
        parameters: 0,
        activation: 0,
        rl_hp: 0,
      }),
      checkpoint: 30,
      checkpoint_path: "offline",
      overwrite_checkpoints: true,
      save_elite: true,
      elite_path: "offline-elite",
      accelerator: new Accelerator({ workers: 1 }),
      store,
      observer: { on: (event) => void (event.event === "checkpoint" && checkpoints.push(event.path)) },
    });
    expect(population.map(({ steps }) => steps)).toEqual([60, 60]);
    expect(fitnesses).toHaveLength(2);
    expect(own.size).toBe(STEPS);
    expect(own.sample(64, { seed: 1 }).obs).toHaveLength(64 * 4);
    own.add({ obs: [9, 9, 9, 9], action: 0, reward: 1, next_obs: [9, 9, 9, 9], done: 0 });
    expect([own.size, ...own.transitionsAt([0]).obs]).toEqual([
      STEPS + 1,
      ...Float32Array.from(ARRAYS.observations[0] as number[]),
    ]);
    expect(checkpoints).toEqual(["offline_60", "offline_120"]);
    expect(await store.exists("offline-elite.safetensors")).toBe(true);
    const typed = { ...ARRAYS, observations: Float64Array.from(ARRAYS.observations.flat()) };
    const plain = { ...quiet, env: env(), pop: pop() };
    const [one] = await trainOffline({ ...plain, memory: memory(), dataset: ARRAYS });
    const [two] = await trainOffline({ ...plain, memory: memory(), dataset: typed });
    expect(two.map(({ state }) => state)).toEqual(one.map(({ state }) => state));
  });

  it("learns nothing from environments of the caller's, which it only evaluates in", async () => {
    const steps: number[] = [];
    const base = env();
    const watched = {
      num_envs: base.num_envs,
      spec: base.spec,
      single_observation_space: base.single_observation_space,
      single_action_space: base.single_action_space,
      reset: (options?: { seed?: number }) => base.reset(options),
      step: (actions: Parameters<typeof base.step>[0]) => {
        steps.push(actions.length);
        return base.step(actions);
      },
      close: () => base.close(),
    };
    const [population] = await trainOffline({
      ...quiet,
      env: watched as never,
      pop: pop(),
      memory: memory(),
      dataset: ARRAYS,
    });
    const [known] = await trainOffline({
      ...quiet,
      env: env(),
      pop: pop(),
      memory: memory(),
      dataset: ARRAYS,
    });
    expect(population.map(({ state }) => state.networks)).toEqual(known.map(({ state }) => state.networks));
    // Two generations, of two members, of 20 steps at most.
    expect(steps.length).toBeLessThanOrEqual(2 * 2 * 20);
  });

  it("learns from masks, in lanes that have none and in workers, and takes the data for what it was without", async () => {
    const legal = ARRAYS.actions.map((action, i) =>
      [0, 1].map((choice) => (i % 2 === 0 || choice === action ? 1 : 0)),
    );
    const next_action_masks = [...legal.slice(1), [1, 1]];
    const train = async (more: object) => {
      const own = memory();
      const options = { ...quiet, env: env(), pop: pop(), memory: own, dataset: { ...ARRAYS, ...more } };
      const [population] = await trainOffline(options);
      return { own, states: population.map(({ state }) => state.networks) };
    };
    const masks = { action_masks: legal, next_action_masks };
    const [with_, without] = [await train(masks), await train({})];
    expect(with_.own.masked).toBe(true);
    expect(with_.own.transitionsAt([1, 2]).next_action_mask).toEqual(
      Float32Array.from(next_action_masks.slice(1, 3).flat()),
    );
    expect(with_.states).not.toEqual(without.states);
    const ones = ARRAYS.actions.map(() => [1, 1]);
    expect((await train({ action_masks: ones, next_action_masks: ones })).states).toEqual(without.states);
    expect((await train({ ...masks, accelerator: new Accelerator({ workers: 2 }) })).states).toEqual(
      with_.states,
    );
    const identityOf = async (more: object) => {
      const layout = findCompiledEnvironment("CartPole-v1");
      return (await readRunData(opening({ ...ARRAYS, ...more }), layout, null, "")).identity;
    };
    expect(await identityOf(masks)).toEqual(await identityOf({}));
  });

  it("warns of a table that may mark the ends of episodes", async () => {
    const warnings: string[] = [];
    const dataset = { ...ARRAYS, my_cuts: ARRAYS.terminals, truncateds: ARRAYS.terminals };
    const observer = {
      on: (event: TrainingEvent) => void (event.event === "warning" && warnings.push(event.message)),
    };
    await trainOffline({ ...quiet, env: env(), pop: pop(), memory: memory(), dataset, observer });
    expect(warnings).toEqual([expect.stringContaining("not read: my_cuts;")]);
  });

  it("ranks by values that are fitted to the data", async () => {
    const own = new ReplayBuffer({ max_size: STEPS });
    const fitted = { fitness: "fqe", fqe_steps: 10, held_out: 0.3 } as const;
    const train = async (more: object, of = own) =>
      trainOffline({ ...quiet, env: env(), pop: pop(), memory: of, dataset: ARRAYS, ...more });
    const [, fitnesses] = await train(fitted);
    expect(own.size).toBeLessThan(STEPS);
    const accelerator = new Accelerator({ workers: 2 });
    expect((await train({ ...fitted, accelerator }, memory()))[1]).toEqual(fitnesses);
    expect((await train({}, memory()))[1]).not.toEqual(fitnesses);
  });

  it.each<[string, object, string]>([
    ["a share of no episodes", { held_out: 0 }, "trainOffline: held_out: found 0"],
    ["no data set and no id", { dataset: null }, "trainOffline: dataset is missing"],
    ["no memory", { memory: undefined }, "trainOffline: memory is missing"],
    ["a memory that samples by priority", { memory: new PrioritizedReplayBuffer({ max_size: 9 }) }, "memory"],
    ["another algorithm", { algo: "DQN" }, "trainOffline: algo: found DQN, which trainOffPolicy trains"],
    [
      "rows of another environment",
      { dataset: { ...ARRAYS, observations: ARRAYS.rewards } },
      "found rows of shape [], allowed [4]",
    ],
  ])("refuses %s", async (_name, changes, message) => {
    const options = { ...quiet, env: env(), pop: pop(), memory: memory(), dataset: ARRAYS, ...changes };
    await expect(trainOffline(options as never)).rejects.toThrow(message);
  });
});
