/** Sweeps trained by the library. */
import { expect, test } from "vitest";
import { trainSweep } from "../../src/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { sweepCsv, sweepGroups } from "../../src/training/index.ts";

const TINY = {
  algorithm: { name: "DQN", batch_size: 8, learn_step: 4 },
  environment: { name: "CartPole-v1", num_envs: 2 },
  training: { max_steps: 64, evo_steps: 32, final_episodes: 0 },
  network: { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } },
};

const quiet = { verbose: false } as const;

test("trains all runs of a sweep file, from the manifest beside it, with a row for each", async () => {
  const store = memoryFileStore();
  const write = (path: string, value: object) =>
    store.write(path, new TextEncoder().encode(JSON.stringify(value)));
  await write("lab/tiny.json", TINY);
  await write("lab/sweep.json", { manifest: "tiny.json", seeds: [3, 4], sweep: { gamma: [0.5, 0.9] } });
  const told: string[] = [];
  const { rows, groups } = await trainSweep("lab/sweep.json", {
    ...quiet,
    store,
    observer: ({ event }, { name }) => event === "end" && told.push(name),
    onResult: ({ name }) => told.push(`row ${name}`),
  });
  const names = ["gamma=0.5, seed=3", "gamma=0.5, seed=4", "gamma=0.9, seed=3", "gamma=0.9, seed=4"];
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect(told).toEqual(names.flatMap((name) => [name, `row ${name}`]));
  expect(rows.map(({ steps, error }) => [steps, error])).toEqual(names.map(() => [64, null]));
  expect(groups.map(({ name, n }) => [name, n])).toEqual([
    ["gamma=0.5", 2],
    ["gamma=0.9", 2],
  ]);
  // The same manifest and seed give the same bits, whatever trained before.
  const [alone] = (await trainSweep({ manifest: TINY, seeds: [4], sweep: { gamma: [0.9] } }, quiet)).rows;
  expect(alone?.fitness).toBe(rows[3]?.fitness);
});

test("a run that fails is told in its row, and the others train", async () => {
  const { rows, groups } = await trainSweep(
    { manifest: TINY, sweep: { "environment.env_config": [{ max_episode_steps: 9 }, { gravity: "none" }] } },
    quiet,
  );
  expect(rows.map(({ fitness, error }) => [fitness === null, error === null])).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(groups.map(({ n, failed }) => [n, failed])).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test.each([
  ["names no manifest", { seeds: "1..2" }, /manifest: missing; name a file or a template/],
  [
    "names an unknown template",
    { manifest: "ppo-cartpol", seeds: "1..2" },
    /manifest: found "ppo-cartpol", which is neither .* did you mean "ppo-cartpole"\?/,
  ],
  [
    "has an unknown environment",
    { manifest: TINY, sweep: { "environment.name": ["CartPole-v1", "CartPole-v7"] } },
    /sweep\.environment\.name: .*CartPole-v7.*\(in the run environment=CartPole-v7\)/,
  ],
])("refuses a sweep that %s before it trains", async (_, sweep, message) => {
  await expect(trainSweep(sweep, quiet)).rejects.toThrow(message);
});

test("means over seeds have intervals by Student's t; failed runs count in none", () => {
  const row = (seed: number, fitness: number | null, error: string | null = null) => ({
    name: `seed=${seed}`,
    setting: {},
    seed,
    fitness,
    steps: 10,
    seconds: 1.23456,
    error,
  });
  const rows = [row(1, 10), row(2, 20), row(3, 60), row(4, 5, 'it said "no"')];
  const [group] = sweepGroups(rows);
  expect(group).toMatchObject({ n: 3, failed: 1, mean: 30 });
  // The t of two degrees of freedom is 4.302653, the standard error sqrt(700 / 3).
  expect(group?.interval?.[0]).toBeCloseTo(-35.724, 2);
  expect(group?.interval?.[1]).toBeCloseTo(95.724, 2);
  expect(sweepCsv(rows).split("\r\n").slice(0, 5)).toEqual([
    "seed,fitness,steps,seconds,error",
    "1,10,10,1.235,",
    "2,20,10,1.235,",
    "3,60,10,1.235,",
    '4,5,10,1.235,"it said ""no"""',
  ]);
});
