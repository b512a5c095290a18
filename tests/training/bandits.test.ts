/** Populations of bandits, through the training function and manifests with CSV files. */
import { describe, expect, it } from "vitest";
import { createPopulation, ReplayBuffer } from "../../src/agents/classes.ts";
import { Mutations, TournamentSelection } from "../../src/evolution/index.ts";
import { BanditEnvironment, makeVector } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { LocalTrainer, trainBandits } from "../../src/training/index.ts";
import { runCli } from "../cli/support.ts";
import { EVOLUTION, NETWORK, Recorder, statesOf, trained } from "./support/tiny.ts";

const FEATURES = [
  [0, 1],
  [0.1, 0.9],
  [1, 0],
  [0.9, 0.1],
  [1, 1],
  [0.9, 1.1],
];
const TARGETS = ["cold", "cold", "hot", "hot", "wet", "wet"];
const CSV = {
  features: `x,y\n${FEATURES.map((row) => row.join(",")).join("\n")}\n`,
  targets: `${TARGETS.join("\r\n")}\r\n`,
};

const env = () => new BanditEnvironment(FEATURES, TARGETS);
const pop = (population_size = 2) => {
  const { observation_space, action_space } = env();
  const algorithm = { name: "NeuralUCB", batch_size: 8 } as const;
  return createPopulation({
    algorithm,
    observation_space,
    action_space,
    population_size,
    net_config: NETWORK,
    seed: 3,
  });
};
const quiet = {
  env_name: "weather",
  algo: "NeuralUCB",
  verbose: false,
  max_steps: 120,
  episode_steps: 40,
  evo_steps: 80,
  eval_steps: 25,
} as const;
const memory = () => new ReplayBuffer({ max_size: 200 });

describe("the table of a bandit", () => {
  it("shows rows, and pays 1 for the row's own class", () => {
    const table = env();
    expect(table.classes).toEqual(["cold", "hot", "wet"]);
    let { observation } = table.reset({ seed: 1 });
    const seen = new Set<string>();
    for (let i = 0; i < 60; i++) {
      const row = FEATURES.findIndex(
        (own) => Math.fround(own[0] ?? 0) === observation[0] && Math.fround(own[1] ?? 0) === observation[1],
      );
      seen.add(String(row));
      const arm = i % 3;
      const step = table.step(arm);
      expect(step).toMatchObject({
        reward: table.classes[arm] === TARGETS[row] ? 1 : 0,
        terminated: false,
        truncated: false,
      });
      ({ observation } = step);
    }
    expect(seen.size).toBe(6);
    expect(env().reset({ seed: 1 })).toEqual(env().reset({ seed: 1 }));
  });

  it.each<[string, () => unknown, string]>([
    [
      "rows of other lengths",
      () => new BanditEnvironment([[1], [1, 2]], [0, 1]),
      "features[1]: found a list of 2, allowed 1 numbers",
    ],
    [
      "what is no number",
      () => new BanditEnvironment([[1], [Number.NaN]], [0, 1]),
      "features[1][0]: found NaN, allowed finite numbers",
    ],
    ["other lengths", () => new BanditEnvironment([[1], [2]], [0]), "targets: found 1, allowed 2"],
    [
      "one class",
      () => new BanditEnvironment([[1], [2]], [0, 0]),
      "targets: found 1 class, allowed two or more",
    ],
    ["an arm that is none", () => env().step(3), "step: found 3, allowed 0 to 2"],
  ])("refuses %s", (_name, made, message) => {
    expect(made).toThrow(message);
  });
});

describe("trainBandits", () => {
  it("counts choices, learns several times for each, and evolves after some turns", async () => {
    const recorder = new Recorder();
    const own = memory();
    const [population, fitnesses] = await trainBandits({
      ...quiet,
      env: env(),
      pop: pop(),
      memory: own,
      selection_strategy: new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 }),
      mutation: new Mutations({
        no_mutation: 0,
        architecture: 1,
        new_layer_prob: 0.2,
        parameters: 0,
        activation: 0,
        rl_hp: 0,
      }),
      observer: recorder,
    });
    expect(population.map(({ steps }) => steps)).toEqual([120, 120]);
    expect(recorder.generations.map(({ global_step }) => global_step)).toEqual([80, 160, 240]);
    // The second generation ends 80 steps of each: evolution follows it alone.
    expect(recorder.generations.map(({ lineage }) => lineage.length > 0)).toEqual([true, false, true]);
    // Learning steps follow each choice, two of them, as soon as there is a batch.
    expect(recorder.generations[1]?.members[0]?.learn_steps).toBe(80);
    expect(fitnesses.every((fitness) => fitness >= 0 && fitness <= 1 && (fitness * 25) % 1 < 1e-6)).toBe(
      true,
    );
    expect(
      recorder.generations
        .flatMap(({ members }) => members.map(({ score }) => score))
        .every((score) => score !== null && score <= 1),
    ).toBe(true);
    expect(own.size).toBe(200);
  });

  it("ends with the same bits from the same seed", async () => {
    const run = async () => {
      const [population] = await trainBandits({
        ...quiet,
        env: env(),
        pop: pop(),
        memory: memory(),
        seed: 5,
      });
      return statesOf(population);
    };
    expect(await run()).toEqual(await run());
  });

  it.each<[string, object, string]>([
    ["several lanes", { env: makeVector("CartPole-v1", 2), pop: [] }, "pop: found an empty population"],
    ["no memory", { memory: undefined }, "trainBandits: memory is missing"],
    ["another algorithm", { algo: "DQN" }, "trainBandits: algo: found DQN, which trainOffPolicy trains"],
    ["turns of no choice", { episode_steps: 0 }, "trainBandits: episode_steps: found 0"],
  ])("refuses %s", async (_name, changes, message) => {
    const options = { ...quiet, env: env(), pop: pop(1), memory: memory(), ...changes };
    await expect(trainBandits(options as never)).rejects.toThrow(message);
  });
});

describe("a manifest of a bandit", () => {
  const manifest = (changes: object = {}) => ({
    algorithm: { name: "NeuralTS", batch_size: 8 },
    environment: { env_type: "bandit", name: "weather", features: "x.csv", targets: "y.csv" },
    training: { pop_size: 2, max_steps: 160, episode_steps: 40, evo_steps: 40, eval_steps: 10 },
    network: NETWORK,
    replay_buffer: { max_size: 300 },
    ...EVOLUTION,
    ...changes,
  });
  const files = async (changes: Partial<typeof CSV> = {}) => {
    const store = memoryFileStore();
    const { features, targets } = { ...CSV, ...changes };
    await store.write("x.csv", new TextEncoder().encode(features));
    await store.write("y.csv", new TextEncoder().encode(targets));
    return store;
  };

  it("trains from its CSV files, and goes on from a checkpoint with the same bits", async () => {
    const store = await files();
    const trainer = async (more: object = {}) =>
      LocalTrainer.fromManifest(manifest(), { store, seed: 7, ...more });
    const expected = await trained(await trainer());
    expect(expected.population.map(({ steps }) => steps)).toEqual([160, 160]);
    expect((await trainer()).manifest.environment).toMatchObject({
      env_type: "bandit",
      name: "weather",
      features: "x.csv",
      num_envs: 1,
    });
    const { recorder } = await trained(await trainer(), {
      checkpoint_steps: 40,
      checkpoint_path: "b",
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    });
    const resumed = await trained(await trainer({ resume_from_checkpoint: recorder.checkpoints.at(-1) }));
    expect(statesOf(resumed.population)).toEqual(statesOf(expected.population));
  });

  it.each<[string, Partial<typeof CSV>, string]>([
    [
      "text among the features",
      { features: "1,2\n3,a\n" },
      'environment.features: x.csv, line 2: found "a", allowed numbers',
    ],
    ["rows of other lengths", { features: "1,2\n3\n" }, "features[1]: found"],
    [
      "several columns of targets",
      { targets: "1,2\n3,4\n1,1\n1,1\n1,1\n1,1\n" },
      "environment.targets: y.csv, line 1: found 2 columns, allowed 1",
    ],
    ["fewer targets", { targets: "1\n2\n" }, "targets: found 2, allowed 6"],
  ])("refuses %s", async (_name, changes, message) => {
    const store = await files(changes);
    await expect(LocalTrainer.fromManifest(manifest(), { store })).rejects.toThrow(message);
  });

  it("is checked and trained by the command", async () => {
    const store = await files();
    await store.write("m.json", new TextEncoder().encode(JSON.stringify(manifest())));
    expect((await runCli(["validate", "m.json"], { store })).code).toBe(0);
    const { code, stderr } = await runCli(["train", "m.json", "--out", "out", "--workers", "1"], { store });
    expect([code, stderr]).toEqual([0, ""]);
    const none = manifest({ environment: { env_type: "bandit", features: "x.csv" } });
    await store.write("none.json", new TextEncoder().encode(JSON.stringify(none)));
    expect((await runCli(["validate", "none.json"], { store })).stderr).toContain(
      "environment.targets: is missing",
    );
  });
});
