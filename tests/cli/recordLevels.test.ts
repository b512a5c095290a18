/** `rlkit record --levels`: data sets of the elites of a run, from random actions to its best agent. */
import { beforeAll, expect, it } from "vitest";
import { openDataset } from "../../src/datasets/index.ts";
import type { FileStore } from "../../src/storage/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { runCli, tinyManifest, writeText } from "./support.ts";

let store: FileStore;
const run = (...args: string[]) => runCli(args, { store });

/** Trains one agent into the directory `out`. */
async function train(out: string, training: object, name = "CartPole-v1"): Promise<void> {
  const sections = {
    algorithm: { name: "PPO", lr: 3e-3, learn_step: 128 },
    environment: { name, num_envs: 8 },
  };
  const fields = { pop_size: 1, evo_steps: 1024, eval_loop: 8, hpo: false, ...training };
  await writeText(store, `${out}.json`, tinyManifest(fields, sections));
  const { code } = await run("train", `${out}.json`, "--workers", "1", "--out", out);
  expect(code).toBe(0);
}

beforeAll(async () => {
  store = memoryFileStore();
  await train("run", { max_steps: 12_288 });
});

interface Told {
  readonly sets: readonly {
    readonly level: string;
    readonly dataset_id: string;
    readonly episodes: number;
    readonly steps: number;
    readonly mean: number;
    readonly normalised: number;
  }[];
}

it("records whole episodes of each level, with the scores that normalise them", async () => {
  const { code, stdout, stderr } = await run(
    ...["record", "run", "--levels", "--steps", "1500", "--seed", "5", "--out", "sets", "--json"],
  );
  expect([code, stderr]).toEqual([0, ""]);
  const { sets } = JSON.parse(stdout) as Told;
  expect(sets.map(({ dataset_id }) => dataset_id)).toEqual(
    ["random", "medium", "medium-replay", "expert"].map((level) => `cartpole/${level}-v0`),
  );
  const [random, medium, replay, expert] = sets;
  expect([random?.normalised, expert?.normalised]).toEqual([0, 100]);
  expect(medium?.normalised).toBeGreaterThan(0);
  // Its first agents are worse than the one that is half-way.
  expect(replay?.mean).toBeLessThan(medium?.mean ?? 0);

  for (const { level, episodes, steps, mean, normalised } of sets) {
    const text = await store.read(`sets/${level}/data/metadata.json`);
    const bytes = await store.read(`sets/${level}/data/main_data.hdf5`);
    const dataset = await openDataset(bytes, { metadata: new TextDecoder().decode(text) });
    expect(dataset.reference_scores).toEqual({ min: random?.mean, max: expert?.mean });
    const all = dataset.episodes();
    expect([all.length, dataset.total_steps]).toEqual([episodes, steps]);
    // An episode of CartPole has as many steps as its return, and at most 500.
    expect(all.reduce((sum, episode) => sum + episode.return, 0) / episodes).toBeCloseTo(mean, 9);
    expect(all.every((episode) => episode.end === (episode.steps === 500 ? "truncated" : "terminated"))).toBe(
      true,
    );
    expect(steps).toBeGreaterThanOrEqual(1500);
    dataset.close();
    const { stdout: shown } = await run("data", "inspect", `sets/${level}`);
    expect(shown).toContain(`normalised ${normalised.toFixed(1)} (0 at ${random?.mean.toFixed(2)}, 100 at `);
  }
});

it("records the same data with the same seed", async () => {
  for (const out of ["one", "two"]) await run("record", "run", "--levels", "--steps", "300", "--out", out);
  for (const level of ["random", "medium-replay"])
    expect(await store.read(`two/${level}/data/main_data.hdf5`)).toEqual(
      await store.read(`one/${level}/data/main_data.hdf5`),
    );
});

it("explores with --explore, and acts greedily without", async () => {
  const returns = async (out: string, ...more: string[]) => {
    const agent = ["record", "run/elite.safetensors", "--steps", "400", "--out", out, "--json"];
    return JSON.parse((await run(...agent, ...more)).stdout).mean as number;
  };
  expect(await returns("explores", "--explore")).not.toBe(await returns("greedy"));
});

it("refuses what is no run, what is there, and a run that learned nothing", async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await run("record", ...args, "--levels");
    expect(code).toBeGreaterThan(0);
    return stderr;
  };
  expect(await refused("nowhere", "--out", "new")).toContain(
    "nowhere has no elite.safetensors; give the directory",
  );
  expect(await refused("run", "--out", "new", "--id", "a/b-v0")).toContain("--id: not allowed with --levels");
  await writeText(store, "there/expert/data/metadata.json", "{}");
  expect(await refused("run", "--out", "there")).toContain("there/expert/data already exists");
  await train("untrained", { max_steps: 1024 }, "MountainCar-v0");
  expect(await refused("untrained", "--out", "new")).toContain(
    "its best agent scores -200.00, random actions -200.00, so there are no levels between them; train longer",
  );
  const game = { algorithm: { name: "DQN" }, environment: { name: "rlkit/TicTacToe", num_envs: 2 } };
  await writeText(store, "game.json", tinyManifest({ pop_size: 1, max_steps: 200, hpo: false }, game));
  expect((await run("train", "game.json", "--workers", "1", "--out", "game")).code).toBe(0);
  expect(await refused("game", "--out", "new")).toContain(
    "found rlkit/TicTacToe, a game; allowed are environments without opponents",
  );
  expect(await store.exists("new")).toBe(false);
});
