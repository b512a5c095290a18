import { afterEach, describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const made = await new TestWorkbench(options).open();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

describe("a run's row", () => {
  it("has the name, tags and note that a person gave, in the next tab too", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const { coordinator } = bench;
    const id = await bench.trainToEnd(tinyDqn(), 3);
    await coordinator.rename(id, "  first try ");
    await coordinator.setTags(id, ["a", "b", "a"]);
    await coordinator.setNote(id, "lr is too high");
    const edited = { name: "first try", tags: ["a", "b"], note: "lr is too high" };
    expect((await coordinator.snapshot(id)).summary).toMatchObject(edited);
    await bench.until((e) => e.kind === "summary" && e.summary.note === edited.note);
    const next = await workbench({ files });
    expect((await next.coordinator.listRuns())[0]).toMatchObject(edited);
  });

  it("keeps what it was when the change is out of bounds", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await bench.trainToEnd(tinyDqn({ max_steps: 128 }), 3);
    await expect(coordinator.rename(id, "x".repeat(4000))).rejects.toThrow(
      "1 to 200 characters; found length 4000",
    );
    await expect(coordinator.rename(id, "  ")).rejects.toThrow("1 to 200 characters");
    await expect(coordinator.setTags(id, ["x".repeat(65)])).rejects.toThrow("tags of 1 to 64 characters");
    await expect(coordinator.setNote(id, "x".repeat(20_001))).rejects.toThrow("at most 20000");
    expect((await coordinator.snapshot(id)).summary).toMatchObject({
      name: "DQN CartPole-v1",
      tags: [],
      note: "",
    });
  });

  it("says after a reload what trained it, how fast, and what was saved", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const id = await bench.trainToEnd(tinyDqn(), 3);
    const reports = await bench.reportsOf(id);
    const { summary } = await bench.coordinator.snapshot(id);
    const next = await workbench({ files });
    const again = (await next.coordinator.snapshot(id)).summary;
    expect(again).toEqual(summary);
    expect(again.device).toBe("WASM SIMD, this thread");
    expect(again.steps_per_second).toBe(reports.at(-1)?.steps_per_second);
    expect(again.last_checkpoint).toMatchObject({ generation: 4, global_step: again.global_step });
    expect(again.last_checkpoint?.at).toBeGreaterThan(0);
    expect([...again.sparkline]).toEqual(reports.map(({ fitnesses }) => Math.fround(Math.max(...fitnesses))));
    const { runs } = await next.coordinator.storage();
    const bytes = runs[0]?.bytes;
    expect(Object.values(bytes ?? {}).every((size) => size > 0)).toBe(true);
    expect(again.bytes).toBe(Object.values(bytes ?? {}).reduce((sum, size) => sum + size, 0));
  });
});

describe("the storage policy", () => {
  it("says how many checkpoints stay, beside pinned ones, and is kept", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const { coordinator } = bench;
    const id = await bench.trainToEnd(tinyDqn(), 3);
    const first = (await coordinator.checkpoints(id)).at(-1)?.generation ?? 0;
    await coordinator.pin(id, first, true);
    await coordinator.setPolicy({ keep_last: 1, keep_best: false, elite_bytes: 5e6, population_bytes: 6e6 });
    const { files: saved } = (await bench.store.latestCheckpoint(id)) ?? {
      files: new Map<string, Uint8Array>(),
    };
    for (const generation of [10, 11])
      await bench.store.saveCheckpoint(id, saved, { generation, global_step: 1, spec_hash: "" });
    expect((await coordinator.checkpoints(id)).map(({ generation }) => generation)).toEqual([11, first]);
    await coordinator.deleteCheckpoint(id, first);
    expect((await coordinator.checkpoints(id)).map(({ generation }) => generation)).toEqual([11]);
    expect(await (await workbench({ files })).coordinator.policy()).toEqual({
      keep_last: 1,
      keep_best: false,
      elite_bytes: 5e6,
      population_bytes: 6e6,
    });
    await expect(
      coordinator.setPolicy({ keep_last: 0, keep_best: true, elite_bytes: 0, population_bytes: 0 }),
    ).rejects.toThrow("keep_last");
  });
});
