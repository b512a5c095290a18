/** Sweeps that a page queues. */
import { afterEach, describe, expect, it } from "vitest";
import type { RunSummary } from "../../src/workers/protocol.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

let bench: TestWorkbench;
afterEach(() => bench.close());

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const SHORT = tinyDqn({ pop_size: 1, max_steps: 128 });

/** Names and groups of runs, in the order of names. */
const named = (runs: readonly RunSummary[]) =>
  runs.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, group }) => [name, group]);

describe("sweep", () => {
  it("trains every combination with every seed, one group for each combination", async () => {
    bench = await new TestWorkbench().open();
    const { coordinator } = bench;
    const settings = ["DQN", "RainbowDQN"].map((name) => ({
      algorithm: { ...SHORT.algorithm, name },
      "algorithm.lr": 0.01,
    }));
    expect(await coordinator.sweep(SHORT, { seeds: [1, 2], settings }, { name: "mine" })).toBe(4);
    const runs = await coordinator.listRuns();
    expect(named(runs)).toEqual(
      ["DQN", "RainbowDQN"].flatMap((algorithm) => {
        const group = `mine, ${algorithm} CartPole-v1, lr=0.01`;
        return [1, 2].map((seed) => [`${group}, seed ${seed}`, group]);
      }),
    );
    for (const { id } of runs) await bench.firstState(id, "finished");
    const [first] = runs.filter(({ name }) => name.includes("Rainbow") && name.endsWith("seed 2"));
    const { manifest, options } = await coordinator.snapshot(first?.id ?? "");
    expect(options.seed).toBe(2);
    expect(manifest).toMatchObject({ algorithm: { name: "RainbowDQN", lr: 0.01 } });
  });

  it("without seeds has one run for each combination, and no groups", async () => {
    bench = await new TestWorkbench().open();
    expect(
      await bench.coordinator.sweep(SHORT, { seeds: null, settings: [{ lr: 0.01 }, { lr: 0.02 }] }),
    ).toBe(2);
    expect(named(await bench.coordinator.listRuns())).toEqual([
      ["DQN CartPole-v1, lr=0.01", null],
      ["DQN CartPole-v1, lr=0.02", null],
    ]);
  });

  it.each([
    ["too many seeds", range(10_000), {}, "found 10000 runs; a sweep has at most 1000"],
    ["an unknown environment", null, { "environment.name": "CartPole-v2" }, "CartPole-v1"],
    ["a value out of range", null, { lr: -1 }, "in the run lr=-1"],
    // What only the size of a run tells.
    ["a run that does not fit", null, { "environment.num_envs": 1e9 }, "num_envs"],
  ])("refuses %s and stores nothing", async (_, seeds, setting, message) => {
    bench = await new TestWorkbench().open();
    await expect(
      bench.coordinator.sweep(SHORT, { seeds, settings: seeds ? [setting] : [{ lr: 0.01 }, setting] }),
    ).rejects.toThrow(message);
    expect(await bench.coordinator.listRuns()).toEqual([]);
  });
});
