/** Files that released versions wrote, read by this one (docs/compatibility.md). */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { parseManifest } from "../../src/manifests/index.ts";
import {
  type FileStore,
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  type RunRecord,
  RunStore,
} from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { type FitnessColumns, generationRows } from "../../src/tracking/clients.ts";
import { evolutionOf, tallyRows } from "../../src/tracking/history.ts";
import { LocalTrainer, loadAgent } from "../../src/training/index.ts";
import { loadCheckpoint } from "../../src/training/workloads.ts";
import { historyEventOf, RunHistory } from "../../src/workers/coordinator.ts";
import { rlState } from "../training/support/rlRuns.ts";
import { TestWorkbench } from "../workers/support/workbench.ts";
import { greedyActions } from "./greedyActions.ts";

const fixtures = path.join(root, "tests/formats/fixtures");
const RELEASED = ["0.1.0"];

interface Expected {
  readonly actions: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly run: { readonly events: number; readonly fitnesses: readonly (readonly number[])[] };
}

const at = (version: string) => nodeFileStore(path.join(fixtures, version));
const jsonOf = async <T>(file: string): Promise<T> =>
  JSON.parse(await readFile(path.join(fixtures, file), "utf8")) as T;

const fitnessesOf = (columns: FitnessColumns) => [...generationRows(columns)].map((row) => row.fitnesses);

/** The checkpoint goes on for two generations more; the reports of those. */
async function goOn(store: FileStore, folder: string) {
  const text = new TextDecoder().decode(await store.read(`${folder}/manifest.yaml`));
  const manifest = parseManifest(text);
  const { max_steps, evo_steps } = manifest.training;
  const longer = { ...manifest.training, max_steps: max_steps + 2 * (evo_steps ?? Number.NaN) };
  const trainer = await LocalTrainer.fromManifest(
    { ...manifest, training: longer },
    { resume_from_checkpoint: `${folder}/checkpoint`, store, device: "wasm" },
  );
  const [population, fitnesses] = await trainer.train({ verbose: false });
  return { population, fitnesses };
}

it("every released version has its fixtures, each below 100 kB", () => {
  expect(readdirSync(fixtures).sort()).toEqual(
    [...RELEASED, "box-actions", "language-agent-1", "run-format-1"].sort(),
  );
  const sizes = readdirSync(fixtures, { recursive: true, encoding: "utf8" })
    .map((name) => [name, statSync(path.join(fixtures, name)).size] as const)
    .filter(([, size]) => size >= 100_000);
  expect(sizes).toEqual([]);
});

describe.each(RELEASED)("version %s", (version) => {
  describe.each(["DQN", "RainbowDQN", "PPO"])("%s", (algorithm) => {
    it("agent file: the agent acts as it did", async () => {
      const { actions } = await jsonOf<Expected>(`${version}/expected.json`);
      const found = await greedyActions(`${algorithm}/agent.safetensors`, at(version));
      const expected = actions[algorithm] ?? [];
      expect(found).toHaveLength(expected.length);
      for (const [index, action] of found.entries())
        for (const [element, value] of action.entries())
          expect(value).toBeCloseTo(expected[index]?.[element] ?? Number.NaN, 5);
    });

    it("checkpoint: the run is there whole, and goes on", async () => {
      const store = at(version);
      const loaded = await loadCheckpoint(store, `${algorithm}/checkpoint`);
      if (loaded.kind !== "run") throw new Error("The fixture is no run.");
      const { seed } = loaded.run;
      const state = rlState(loaded.run.state);
      expect(seed).toBe(3);
      expect(state).toMatchObject({ generation: 2, started: true, device: "wasm" });
      expect(state.members.map((member) => member.steps)).toEqual(
        algorithm === "PPO" ? [384, 384] : [256, 256],
      );
      expect(state.replay?.rings).toEqual(
        algorithm === "PPO" ? undefined : Array(2).fill({ position: 56, count: 200 }),
      );
      expect((state.replay?.priorities ?? null) !== null).toBe(algorithm === "RainbowDQN");

      const { population, fitnesses } = await goOn(store, algorithm);
      expect(fitnesses).toHaveLength(2);
      for (const agent of population)
        expect(agent.steps).toBeGreaterThanOrEqual(state.members[0]?.steps ?? Number.NaN);
    });

    it("manifest: is valid, with the settings it was written with", async () => {
      const text = await readFile(path.join(fixtures, version, algorithm, "manifest.yaml"), "utf8");
      const manifest = parseManifest(text);
      expect(manifest.apiVersion).toBe("agilerl.com/v1");
      expect(manifest.algorithm).toMatchObject({ name: algorithm, lr: 0.001 });
      expect(parseManifest(text.replace("agilerl.com/v1", "rlkit/v1")).training).toEqual(manifest.training);
    });
  });

  it("run archive: is imported with its list entry, its log and its checkpoints, and goes on", async () => {
    const { run } = await jsonOf<Expected>(`${version}/expected.json`);
    const record = await jsonOf<RunRecord>(`${version}/indexRecord.json`);
    const bench = await new TestWorkbench().open();
    const imported = await bench.store.importRun(await at(version).read("run.zip"));
    expect(imported).toEqual({ ...record, updated_at: imported.updated_at });
    const { columns, summary } = await bench.coordinator.snapshot(imported.id);
    expect(fitnessesOf(columns)).toEqual(run.fitnesses);
    const reports = await bench.coordinator.generations(imported.id, 1, run.fitnesses.length);
    expect(reports.map((report) => report.fitnesses)).toEqual(run.fitnesses);
    expect(summary).toMatchObject({ state: "finished", compared_with: null, champion: null });
    const evolution = evolutionOf(reports);
    expect(evolutionOf(tallyRows(await bench.coordinator.history(imported.id, 1)))).toEqual(evolution);
    const members = reports.reduce((sum, report) => sum + report.members.length, 0);
    expect(evolution.mutations.reduce((sum, { number }) => sum + number, 0)).toBe(members);
    expect(evolution.ancestors).toBeGreaterThan(0);

    const { manifest } = await bench.coordinator.snapshot(imported.id);
    const again = await bench.trainToEnd(manifest, 3);
    expect((await bench.coordinator.snapshot(again)).summary.state).toBe("finished");
    bench.close();
  });

  it("run log: every event is read", async () => {
    const { run } = await jsonOf<Expected>(`${version}/expected.json`);
    const files = memoryFileStore();
    await files.write("/v1/runs/a/log/000001.seg", await at(version).read("log/000001.seg"));
    const store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
    const { events, problems } = await store.readLog("a");
    expect([events.length, problems]).toEqual([run.events, []]);
    const history = new RunHistory();
    for (const logged of events) {
      const event = historyEventOf(logged);
      if (event) history.add(event);
    }
    expect(fitnessesOf(history.columns())).toEqual(run.fitnesses);
    expect(history.best).toBe(Math.max(...run.fitnesses.flat()));
  });
});

describe("run format 1, of before the first release", () => {
  it("is read as one of today, its rows with their episodes' ends", async () => {
    const loaded = await loadCheckpoint(at("run-format-1"), "DQN/checkpoint");
    if (loaded.kind !== "run") throw new Error("The fixture is no run.");
    const { replay, generation, members } = rlState(loaded.run.state);
    expect([generation, members.length, replay?.rings.length]).toEqual([2, 2, 2]);
    for (const { ended, done } of replay?.segments ?? []) {
      expect(ended).toEqual(done);
      expect(ended.some((value) => value === 1)).toBe(true);
    }
  });

  it("goes on with the replay memory it had", async () => {
    const store = memoryFileStore();
    const old = at("run-format-1");
    for (const { name } of await old.list("DQN/checkpoint"))
      await store.write(`DQN/checkpoint/${name}`, await old.read(`DQN/checkpoint/${name}`));
    await store.write("DQN/manifest.yaml", await at("0.1.0").read("DQN/manifest.yaml"));
    const { population, fitnesses } = await goOn(store, "DQN");
    expect(fitnesses).toHaveLength(2);
    expect(population.every((agent) => agent.steps >= 256)).toBe(true);
  });
});

describe("agents of before each number of a Box was scaled for itself", () => {
  it.each(["DDPG", "TD3", "SAC", "PPO", "MATD3", "IPPO"])("%s acts as it did", async (name) => {
    const recorded =
      await jsonOf<Record<string, Record<"greedy" | "training", readonly number[]>>>(
        "box-actions/expected.json",
      );
    const agent = await loadAgent(`${name}.safetensors`, { store: at("box-actions") });
    const lanes = 4;
    const [width = 0] = agent.observation_space.shape;
    const seen = Float32Array.from({ length: lanes * width }, (_value, i) => Math.sin(i));
    for (const kind of ["greedy", "training"] as const) {
      const found = agent.getAction(seen, { num_envs: lanes, training: kind === "training" });
      const expected = recorded[name]?.[kind] ?? [];
      expect(found).toHaveLength(expected.length);
      for (const [i, value] of expected.entries())
        expect(Math.abs(((found as ArrayLike<number>)[i] as number) - value)).toBeLessThan(
          1e-5 * Math.max(1, Math.abs(value)),
        );
    }
  });
});

describe("docs/compatibility.md", () => {
  it("names every fixture's version", () => {
    const text = readFileSync(path.join(root, "docs/compatibility.md"), "utf8");
    for (const version of RELEASED) expect(text).toContain(version);
  });
});
