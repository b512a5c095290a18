/** Populations that learn from a data set without an environment. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CQN, createPopulation, ReplayBuffer } from "../../../src/agents/classes.ts";
import { datasetOf, spacesOfData } from "../../../src/datasets/index.ts";
import { findEnvironment } from "../../../src/rl/environments.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions, trainOffline } from "../../../src/training/index.ts";
import { keepThreads } from "../../workers/inside/support/keptThreads.ts";
import { NETWORK, statesOf, type Trained, trained, type Watching } from "../support/tiny.ts";
import { ARRAYS, dataStore, EPISODES, TORQUES } from "../support/tinyData.ts";

// Brings in the pool of workers.
keepThreads();

let store: FileStore;
beforeAll(async () => {
  store = await dataStore();
  const rows = TORQUES.rewards.map((reward, i) =>
    [
      ...(TORQUES.observations[i] ?? []),
      ...(TORQUES.actions[i] ?? []),
      reward,
      0,
      TORQUES.timeouts[i],
    ].join(),
  );
  await store.write(
    "plant.csv",
    new TextEncoder().encode(
      ["observation_0,observation_1,observation_2,action,reward,terminal,timeout", ...rows].join("\n"),
    ),
  );
});

const manifest = (algorithm: object, environment: object, training: object = {}) => ({
  algorithm: { batch_size: 8, ...algorithm },
  environment,
  training: { pop_size: 2, max_steps: 40, evo_steps: 20, fqe_steps: 20, held_out: 0.5, ...training },
  network: NETWORK,
});

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  dataset: state.replay?.dataset,
});

const csv = { dataset_path: "plant.csv" };
const run = async (
  given: Readonly<Record<string, unknown>>,
  options: Partial<TrainerOptions> = {},
  watching: Watching = {},
) => trained(await LocalTrainer.fromManifest(given, { store, ...options }), watching);

const refused = (given: Readonly<Record<string, unknown>>) =>
  LocalTrainer.fromManifest(given, { store }).then(
    () => "",
    (error: Error) => error.message,
  );

describe("a run from data alone", () => {
  it("takes the spaces of a CSV file, and ranks agents by fitted Q evaluation", async () => {
    const { recorder, population, fitnesses } = await run(manifest({ name: "IQL" }, csv));
    const torques = TORQUES.actions.flat();
    const space = population[0]?.action_space;
    expect(space?.kind === "Box" && [space.low[0], space.high[0]]).toEqual(
      [Math.min(...torques), Math.max(...torques)].map(Math.fround),
    );
    expect(population[0]?.observation_space.shape).toEqual([3]);
    const [member] = recorder.generations.at(-1)?.members ?? [];
    expect(member?.metrics).toHaveProperty("fqe_td_error");
    expect(member?.metrics).not.toHaveProperty("mean_return");
    expect(fitnesses).toEqual(recorder.generations.at(-1)?.members.map(({ fitness }) => fitness));
    expect(recorder.warnings.filter((text) => text.includes("inferred"))).toHaveLength(2);
    expect(population[0]?.toOnnx().byteLength).toBeGreaterThan(0);
  });

  it("shows importance-weighted returns of policies with probabilities of choices only", async () => {
    const choices = { dataset_path: "flat.hdf5" };
    const metricsOf = async (name: string) =>
      (await run(manifest({ name }, choices, { max_steps: 20 }))).recorder.generations[0]?.members[0]
        ?.metrics;
    // Each step is worth 1, so the return is at least that of one step, and at most that of the longest episode.
    const weighted = (await metricsOf("BC"))?.wis_return;
    expect(weighted).toBeGreaterThan(1);
    expect(weighted).toBeLessThan(Math.max(...EPISODES.map(({ rewards }) => rewards.length)));
    expect(await metricsOf("CQN")).not.toHaveProperty("wis_return");
  });

  it("ends with the same bits in workers, and from a checkpoint", async () => {
    const given = manifest({ name: "CQN" }, { dataset_path: "flat.hdf5" }, { hpo: true });
    const whole = end(await run(given));
    const accelerator = new Accelerator({ workers: 2 });
    expect(end(await run(given, { accelerator }))).toEqual(whole);
    const { recorder } = await run(given, {}, { checkpoint_path: "alone", checkpoint_steps: 20 });
    const resumed = await run(given, { resume_from_checkpoint: recorder.checkpoints[0] ?? "" });
    expect(resumed.recorder.generations).toHaveLength(1);
    expect(end(resumed)).toEqual(whole);
  });

  it("is said where it cannot be", async () => {
    const online = { algorithm: { name: "DQN" }, environment: { name: "none" } };
    expect(await refused(online)).toContain(
      'environment.name: found "none", and DQN learns by acting; name an environment, or learn from a data set by',
    );
    expect(await refused(manifest({ name: "BC" }, csv, { fitness: "environment" }))).toContain(
      'training.fitness: found "environment", and environment.name is "none"; allowed: fqe',
    );
    expect(await refused(manifest({ name: "BC" }, { ...csv, max_episode_steps: 9 }))).toContain(
      'environment.max_episode_steps: has no effect: environment.name is "none"',
    );
    expect(await refused(manifest({ name: "BC" }, { dataset_path: "gone.csv" }))).toContain(
      "environment.dataset_path: gone.csv: no such file or folder",
    );
    expect(await refused(manifest({ name: "BC" }, { ...csv, path: "env.ts" }))).toContain(
      'environment.path: found "env.ts", and name is "none"',
    );
    expect(await refused(manifest({ name: "CQN" }, csv))).toContain("CQN cannot act in this environment");
    expect(
      () => new LocalTrainer(manifest({ name: "BC" }, { dataset_path: "new.csv" }) as TrainerOptions),
    ).toThrow('environment.dataset_path: found "new.csv", which has not been opened');
    expect(() => findEnvironment("none")).toThrow("learned from data alone");
  });

  it("stays finite where observations and rewards are all the same, and says so", async () => {
    const header = "observation_0,action,reward,terminal,timeout";
    const write = async (name: string, ends: (row: number) => boolean) => {
      const rows = Array.from({ length: 40 }, (_, i) => `1,${Math.sin(i)},0,0,${Number(ends(i))}`);
      await store.write(name, new TextEncoder().encode([header, ...rows].join("\n")));
    };
    await write("still.csv", (row) => row % 10 === 9);
    const environment = { dataset_path: "still.csv", normalize: { observations: true } };
    const { recorder, fitnesses } = await run(manifest({ name: "AWAC" }, environment));
    expect(fitnesses.every(Number.isFinite)).toBe(true);
    expect(recorder.warnings.join()).toMatch(/observations are the same.*rewards are 0/);
    await write("one.csv", () => false);
    await expect(run(manifest({ name: "BC" }, { dataset_path: "one.csv" }))).rejects.toThrow(
      "one.csv: found 1 episode; fitted Q evaluation (training.fitness: fqe) needs two or more",
    );
  });

  it("is a training function's with env null", async () => {
    const dataset = datasetOf(ARRAYS);
    const { observation_space, action_space, notices } = spacesOfData(dataset);
    expect(notices).toHaveLength(2);
    expect(action_space).toMatchObject({ kind: "Discrete", n: 2 });
    const options = { algorithm: "CQN", observation_space, action_space, population_size: 1 } as const;
    const pop = createPopulation(options) as CQN[];
    const memory = new ReplayBuffer({ max_size: dataset.total_steps });
    const common = {
      env_name: "none",
      algo: "CQN",
      pop,
      memory,
      dataset,
      max_steps: 4,
      evo_steps: 4,
    } as const;
    const more = { fqe_steps: 4, verbose: false };
    const [, [fitness]] = await trainOffline({ ...common, ...more, env: null });
    expect(Number.isFinite(fitness)).toBe(true);
    const asked = { ...common, ...more, env: null, fitness: "environment" } as const;
    await expect(trainOffline(asked)).rejects.toThrow('found "environment", and env is null; allowed "fqe"');
  });
});

describe("the spaces of data", () => {
  const rows = { observations: [[1], [2]], rewards: [0, 0], terminals: [0, 1] };
  const spaces = (actions: unknown) => spacesOfData(datasetOf({ ...rows, actions }));

  it("have choices for whole numbers, except those stored as fractions", () => {
    expect(spaces([0, 2]).action_space).toMatchObject({ kind: "Discrete", n: 3 });
    expect(spaces(new BigInt64Array([0n, 1n])).action_space).toMatchObject({ kind: "Discrete", n: 2 });
    const { action_space, notices } = spaces(new Float32Array([0, 2]));
    expect(action_space).toMatchObject({
      kind: "Box",
      low: new Float32Array([0]),
      high: new Float32Array([2]),
    });
    expect(notices.at(-1)).toContain("if they are choices, store them as integers from 0");
    expect(spaces([-1, 2]).action_space.kind).toBe("Box");
  });

  it("have room around an action that is always the same", () => {
    const { action_space, notices } = spaces([
      [0.5, 1],
      [0.5, 2],
    ]);
    expect(notices.at(-1)).toContain("from actions that are 0.5 to 0.5, 1 to 2");
    expect(action_space).toMatchObject({
      low: new Float32Array([-0.5, 1]),
      high: new Float32Array([1.5, 2]),
    });
  });

  it("are refused where nothing tells them", () => {
    expect(() => spaces([0, 0])).toThrow("found whole numbers from 0 to 0, allowed 2 to 1024 choices");
    expect(() => spaces([0, 5000])).toThrow("found whole numbers from 0 to 5000");
    expect(() => spaces([Number.NaN, Number.NaN])).toThrow("found no actions that are numbers");
  });
});
