/** Repeats of a run over seeds, and the queue in which they wait. */
import { afterEach, describe, expect, it } from "vitest";
import { memoryFileStore, memoryRunIndex, memoryRunLocks } from "../../src/storage/index.ts";
import { tinyDqn } from "./support/manifests.ts";
import { OneThread, TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const made = await new TestWorkbench(options).open();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

const SEED = 3;
const SHORT = tinyDqn({ pop_size: 2, max_steps: 128 });

/** The runs of a group in the order of their seeds, with these. */
async function groupOf({ coordinator }: TestWorkbench, group: string) {
  const runs = (await coordinator.listRuns()).filter((run) => run.group === group);
  const seeds = await Promise.all(runs.map(async ({ id }) => (await coordinator.snapshot(id)).options.seed));
  return runs.map((run, at) => ({ ...run, seed: seeds[at] ?? -1 })).sort((a, b) => a.seed - b.seed);
}

describe("repeat", () => {
  it("trains a run again with other seeds, as one group with it", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(SHORT, { seed: SEED, name: "baseline" });
    const group = await coordinator.repeat(id, 3);
    expect(group).toBe("baseline");
    const runs = await groupOf(bench, group);
    expect(runs.map(({ name, seed }) => [name, seed])).toEqual([
      ["baseline", 3],
      ["baseline, seed 4", 4],
      ["baseline, seed 5", 5],
    ]);
    for (const run of runs) await bench.firstState(run.id, "finished");
    // A repeat is the run with that seed, and its manifest says so.
    const expected = await bench.outcome(await bench.trainToEnd(SHORT, 5));
    expect(await bench.outcome(runs[2]?.id ?? "")).toEqual(expected);
    expect((await coordinator.snapshot(runs[2]?.id ?? "")).manifest).toMatchObject({
      mutation: { rand_seed: 5 },
    });
    // More seeds join the group; those that it has are not repeated, whichever of its runs is named.
    expect(await coordinator.repeat(runs[1]?.id ?? "", 4)).toBe(group);
    expect((await groupOf(bench, group)).map(({ name, seed }) => [name, seed])).toEqual([
      ["baseline", 3],
      ["baseline, seed 4", 4],
      ["baseline, seed 5", 5],
      ["baseline, seed 6", 6],
    ]);
  });

  it.each([1, 101, 2.5, Number.NaN])("refuses %d seeds and changes nothing", async (seeds) => {
    const bench = await workbench();
    const id = await bench.trainToEnd(SHORT, SEED);
    await expect(bench.coordinator.repeat(id, seeds)).rejects.toThrow("allowed whole numbers from 2 to 100");
    expect((await bench.coordinator.snapshot(id)).summary.group).toBeNull();
  });

  it("names a second group of the same name apart", async () => {
    const bench = await workbench();
    const first = await bench.coordinator.start(SHORT, { seed: SEED, name: "same" });
    const second = await bench.coordinator.queue(SHORT, { seed: SEED, name: "same" });
    expect(await bench.coordinator.repeat(first, 2)).toBe("same");
    expect(await bench.coordinator.repeat(second, 2)).toBe("same (2)");
  });
});

describe("the queue", () => {
  it("goes on in the next tab, in its order, but not while its own tab lives", async () => {
    const shared = { files: memoryFileStore(), index: memoryRunIndex() };
    const locks = memoryRunLocks();
    const executors: OneThread[] = [];
    const makeExecutor = (): OneThread => {
      const executor = new OneThread();
      executors.push(executor);
      return executor;
    };
    const bench = await workbench({ ...shared, locks, makeExecutor });
    const id = await bench.coordinator.start(tinyDqn(), { seed: SEED, name: "long" });
    await bench.untilGeneration(id, 1);
    executors[0]?.hold();
    const group = await bench.coordinator.repeat(id, 3);
    const beside = await workbench({ ...shared, locks });
    const seen = await groupOf(beside, group);
    expect(seen.map(({ state, waiting }) => [state, waiting])).toEqual([
      ["running", false],
      ["stopped", true],
      ["stopped", true],
    ]);
    bench.close();
    // A tab that is gone holds no locks.
    const next = await workbench(shared);
    await next.coordinator.listRuns();
    const [, second, third] = seen.map((run) => run.id);
    await next.firstState(third ?? "", "finished");
    const ends = next.events.filter((event) => event.kind === "state" && event.state === "finished");
    expect(ends.map(({ run }) => run)).toEqual([second, third]);
    expect(beside.events.filter(({ kind }) => kind === "generation")).toEqual([]);
    // What was interrupted is not resumed by itself: it may be what ended the tab.
    expect((await groupOf(next, group)).map(({ state }) => state)).toEqual([
      "interrupted",
      "finished",
      "finished",
    ]);
    await next.coordinator.resumeLater(id);
    await next.firstState(id, "finished");
    await expect(next.coordinator.resumeLater(id)).rejects.toThrow("This run is finished");
  });

  it("is left by a run that is stopped or resumed", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn(), { seed: SEED });
    const [, second, third] = await groupOf(bench, await coordinator.repeat(id, 3));
    expect([second?.waiting, third?.waiting]).toEqual([true, true]);
    await coordinator.stop(second?.id ?? "");
    expect((await coordinator.snapshot(second?.id ?? "")).summary).toMatchObject({
      waiting: false,
      state: "stopped",
    });
    await coordinator.pause(id);
    await coordinator.resume(third?.id ?? "");
    await bench.firstState(third?.id ?? "", "finished");
    await coordinator.resume(id);
    await bench.firstState(id, "finished");
    // Nothing waits any more, so a new run starts at once.
    const last = await coordinator.queue(SHORT, { seed: SEED });
    expect((await coordinator.snapshot(last)).summary.waiting).toBe(false);
    expect((await coordinator.snapshot(second?.id ?? "")).summary.state).toBe("stopped");
  });
});
