/** Populations that learn from recorded numbers, and what their data are checked for. */
import { beforeAll, describe, expect, it } from "vitest";
import { createPopulation, ReplayBuffer } from "../../../src/agents/classes.ts";
import type { DatasetArrays } from "../../../src/datasets/index.ts";
import { makeVector } from "../../../src/rl/environments.ts";
import type { FileStore } from "../../../src/storage/index.ts";
import type { TrainingEvent } from "../../../src/tracking/index.ts";
import { Accelerator, trainOffline } from "../../../src/training/index.ts";
import { keepThreads } from "../../workers/inside/support/keptThreads.ts";
import { EVOLUTION, NETWORK, statesOf, type Trained, trained } from "../support/tiny.ts";
import { ARRAYS, dataStore, fromData, TORQUES } from "../support/tinyData.ts";

keepThreads();

let store: FileStore;
beforeAll(async () => {
  store = await dataStore();
});

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
});

describe.each<[string, object, boolean]>([
  ["BC", { loss: "nll" }, false],
  ["BC", {}, true],
  ["TD3+BC", { policy_freq: 3 }, false],
  ["IQL", {}, false],
  ["IQL", {}, true],
  ["AWAC", {}, false],
  ["AWAC", {}, true],
  ["CQL", { num_actions: 2 }, false],
])("a run of %s with %o from choices: %s", (name, fields, isChoice) => {
  it("ends with the same bits in workers, and resumed from a checkpoint", async () => {
    const options = { ...EVOLUTION, store, seed: 7, isChoice, training: { max_steps: 240 } };
    const algorithm = { name, ...fields };
    const expected = end(await trained(fromData(algorithm, options)));
    expect(new Set(expected.members.map(({ algorithm: found }) => found))).toEqual(
      new Set([name.replace("+", "")]),
    );
    const accelerator = new Accelerator({ workers: 2 });
    expect(end(await trained(fromData(algorithm, { ...options, accelerator })))).toEqual(expected);
    const { recorder } = await trained(fromData(algorithm, options), {
      checkpoint_steps: 1,
      checkpoint_path: `kept/${name}`,
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    });
    const { seed: _, ...unseeded } = options;
    const resume_from_checkpoint = recorder.checkpoints.at(-1) as string;
    expect(end(await trained(fromData(algorithm, { ...unseeded, resume_from_checkpoint })))).toEqual(
      expected,
    );
  });
});

const pendulum = () => makeVector("Pendulum-v1", 4);

/** Two members from arrays, and what the run warned of. */
async function learned(
  dataset: DatasetArrays,
  {
    algo = "BC",
    env = pendulum(),
    ...agents
  }: {
    readonly algo?: "BC" | "IQL";
    readonly env?: ReturnType<typeof pendulum>;
    readonly normalize?: object;
  } = {},
) {
  const { single_observation_space: observation_space, single_action_space: action_space } = env;
  const pop = createPopulation({
    algorithm: { name: algo, batch_size: 8 },
    observation_space,
    action_space,
    population_size: 2,
    net_config: NETWORK,
    seed: 3,
    ...agents,
  });
  const warnings: string[] = [];
  const memory = new ReplayBuffer({ max_size: 1000 });
  const [population] = await trainOffline({
    env,
    env_name: "data",
    algo,
    pop,
    memory,
    dataset,
    verbose: false,
    max_steps: 20,
    evo_steps: 20,
    eval_steps: 5,
    observer: {
      on: (event: TrainingEvent) => void (event.event === "warning" && warnings.push(event.message)),
    },
  } as never);
  return { population, memory, warnings };
}

describe("a data set of numbers", () => {
  it("is kept on the policy's scale; actions outside the space are told with the first row and cut", async () => {
    const actions = TORQUES.actions.map(([torque = 0], i) => [i === 7 || i === 30 ? 2.5 : torque]);
    const { memory, warnings } = await learned({ ...TORQUES, actions });
    expect(warnings).toEqual([
      "dataset: actions of 2 of 120 rows are outside of the environment's space and are cut to it (first row 7: found 2.5 at [0], allowed -2 to 2)",
    ]);
    const found = [...(memory.segments[0]?.action ?? [])].slice(0, actions.length);
    expect(found).toEqual(actions.map(([torque = 0]) => Math.fround(Math.min(2, Math.fround(torque)) / 2)));
  });

  it("gives the moments of its observations to agents that normalise, once", async () => {
    const { population } = await learned(TORQUES, { normalize: { observations: true } });
    const { observations } = population[0]?.state.normalization ?? {};
    const columns = [0, 1, 2].map((i) => TORQUES.observations.map((row) => row[i] as number));
    const mean = (x: readonly number[]) => x.reduce((sum, one) => sum + one, 0) / x.length;
    columns.forEach((column, i) => {
      const own = mean(column);
      expect(observations?.mean[i]).toBeCloseTo(own, 6);
      expect(observations?.variance[i]).toBeCloseTo(mean(column.map((x) => (x - own) ** 2)), 5);
      expect(observations?.count[i]).toBe(120);
    });
    const fields = { normalize: { rewards: true } };
    await expect(async () => trained(fromData({ name: "BC" }, { store, fields }))).rejects.toThrow(
      "environment.normalize.rewards: found true, but a data set has no roll-outs",
    );
  });

  it("may be one open episode without an end", async () => {
    const { timeouts: _, ...open } = TORQUES;
    const { warnings } = await learned(
      {
        ...open,
        observations: TORQUES.observations.slice(0, 50),
        next_observations: TORQUES.next_observations.slice(0, 50),
        actions: TORQUES.actions.slice(0, 50),
        rewards: TORQUES.rewards.slice(0, 50),
        terminals: TORQUES.terminals.slice(0, 50),
      },
      { algo: "IQL" },
    );
    expect(warnings).toEqual([]);
  });

  it("is told to say nothing where observations or rewards do not vary", async () => {
    const rewards = TORQUES.rewards.map(() => 0);
    const observations = TORQUES.observations.map(() => [1, 0, 3]);
    const still = { ...TORQUES, observations, next_observations: observations, rewards };
    const { population, warnings } = await learned(still, { normalize: { observations: true } });
    expect(warnings).toEqual([
      "dataset: all 120 observations are the same, so a policy can learn one action only",
      "dataset: all rewards are 0, so no action is worth more than another: only BC learns from such data",
    ]);
    expect(Number.isFinite(population[0]?.fitness.at(-1))).toBe(true);
  });

  it.each<[string, object, string]>([
    [
      "another number of torques",
      { actions: TORQUES.actions.map(([torque]) => [torque, torque]) },
      "dataset: actions: found rows of shape [2], allowed [1] (the environment's)",
    ],
    [
      "a torque that is no number",
      { actions: TORQUES.actions.map((row, i) => (i === 5 ? [Number.NaN] : row)) },
      "dataset: actions, row 5: found NaN, allowed finite 32-bit numbers",
    ],
    [
      "an observation that is no number",
      { observations: TORQUES.observations.map((row, i) => (i === 9 ? [1, Number.NaN, 0] : row)) },
      "dataset: observations, row 9: found NaN, allowed finite 32-bit numbers",
    ],
  ])("is refused with %s", async (_name, changes, message) => {
    await expect(learned({ ...TORQUES, ...changes })).rejects.toThrow(message);
  });

  it("may have choices as floats, one in a row", async () => {
    const env = makeVector("CartPole-v1", 4);
    const actions = ARRAYS.actions.map((action) => [action]);
    const floats = await learned(
      { ...ARRAYS, actions: actions.map((row) => Float32Array.from(row)) },
      { env },
    );
    const whole = await learned(ARRAYS, { env: makeVector("CartPole-v1", 4) });
    expect(statesOf(floats.population)).toEqual(statesOf(whole.population));
    await expect(
      learned({ ...ARRAYS, actions: ARRAYS.actions.map((action) => action + 0.5) }, { env }),
    ).rejects.toThrow("actions, row 0: found 0.5, allowed 32-bit integers");
  });
});
