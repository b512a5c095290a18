import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import {
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  type RunLock,
  type RunLocks,
} from "../../../src/storage/index.ts";
import { type SharedRuns, shareRuns } from "../../../src/workers/tabs/shareRuns.ts";
import { broadcastChannel, type TabMessage } from "../../../src/workers/tabs/TabChannel.ts";
import { tinyDqn } from "../support/manifests.ts";
import { mortalFiles } from "../support/mortalFiles.ts";
import { TestWorkbench } from "../support/workbench.ts";

interface Tab extends SharedRuns {
  readonly bench: TestWorkbench;
}
const open: Tab[] = [];
afterEach(() => {
  for (const { bench, tabs } of open.splice(0)) {
    tabs.close();
    bench.close();
  }
});

/** Tabs of one site, which share files, the list of runs and locks. */
function site(name: string) {
  const files = memoryFileStore();
  const index = memoryRunIndex();
  const locks = memoryRunLocks();
  return async (parts: { readonly files?: typeof files; readonly locks?: RunLocks } = {}): Promise<Tab> => {
    const bench = await new TestWorkbench({ files, index, locks, ...parts }).open();
    const tab = { bench, ...shareRuns(bench.coordinator, broadcastChannel(name)) };
    open.push(tab);
    return tab;
  };
}

const endless = tinyDqn({ max_steps: 100_000_000 });

describe("a second tab", () => {
  it("follows a run that trains in the first, looks at it and steers it", async () => {
    const newTab = site("follows");
    const [first, second] = [await newTab(), await newTab()];
    const id = await first.bench.coordinator.start(endless, { seed: 3 });
    await second.bench.untilGeneration(id, 2);
    const { summary, columns } = await second.calls.snapshot(id);
    expect(summary).toMatchObject({ id, state: "running" });
    expect(columns.generation.length).toBeGreaterThan(0);
    expect((await second.bench.coordinator.listRuns())[0]).toMatchObject({ id, live_elsewhere: true });

    await second.calls.pause(id);
    await second.bench.until((e) => e.kind === "state" && e.state === "paused");
    expect((await first.calls.snapshot(id)).summary.state).toBe("paused");
    await second.calls.steer(id, { kind: "set", index: null, hyperparameter: "lr", value: 0.006 });
    await second.calls.rename(id, "from afar");
    expect((await first.calls.snapshot(id)).summary.name).toBe("from afar");
    expect(await first.calls.steering(id)).toHaveLength(1);
    const elite = { kind: "elite" } as const;
    expect(await second.calls.agent(id, elite)).toEqual(await first.calls.agent(id, elite));
    await expect(second.calls.rename(id, "")).rejects.toThrow("A name has 1 to 200 characters");
    await second.calls.resume(id);
    await second.calls.stop(id);
    await second.bench.until((e) => e.kind === "state" && e.state === "stopped");
    expect((await first.calls.snapshot(id)).summary.state).toBe("stopped");
  });

  it("is answered only what the table says that the holder of a run answers", async () => {
    const first = await site("refused")();
    const id = await first.bench.coordinator.start(endless, { seed: 3 });
    const channel = broadcastChannel("refused");
    onTestFinished(() => channel.close());
    const asked = (call: string): Promise<TabMessage> =>
      new Promise((resolve) => {
        channel.listen((message) => {
          if ("nonce" in message && message.nonce === call && message.kind !== "taken") resolve(message);
        });
        channel.post({ kind: "ask", nonce: call, run: id, call, args: [] });
      });
    expect(await asked("kernels")).toMatchObject({ kind: "answer" });
    for (const call of ["fork", "listRuns", "toString", "letGo"])
      expect(await asked(call)).toMatchObject({
        kind: "refused",
        message: `There is no call "${call}" here; reload this tab.`,
      });
  });

  it("finds out that the first was killed, and goes on with its run", async () => {
    const disk = memoryFileStore();
    const files = mortalFiles(disk);
    const index = memoryRunIndex();
    const locks = memoryRunLocks();
    const held: RunLock[] = [];
    const ofFirst: RunLocks = {
      ...locks,
      acquire: async (id, waitMs) => {
        const lock = await locks.acquire(id, waitMs);
        if (lock) held.push(lock);
        return lock;
      },
    };
    const make = async (parts: { readonly files: typeof disk; readonly locks: RunLocks }): Promise<Tab> => {
      const bench = await new TestWorkbench({ index, ...parts }).open();
      const tab = { bench, ...shareRuns(bench.coordinator, broadcastChannel("killed")) };
      open.push(tab);
      return tab;
    };
    const first = await make({ files, locks: ofFirst });
    const second = await make({ files: disk, locks });
    const id = await first.bench.coordinator.start(endless, { seed: 3 });
    await first.bench.until((e) => e.kind === "checkpoint");
    await second.bench.untilGeneration(id, 3);
    // Its request is never answered.
    files.kill();
    first.tabs.close();
    // A dead tab does not train.
    void first.bench.coordinator.pause(id);
    const asked = second.calls.snapshot(id);
    for (const lock of held) await lock.release();
    await second.bench.until((e) => e.kind === "state" && e.state === "interrupted");
    expect((await asked).summary).toMatchObject({ state: "interrupted", live_elsewhere: false });
    await second.calls.resume(id);
    await second.bench.untilGeneration(id, 4);
    await second.calls.stop(id);
    expect((await second.calls.snapshot(id)).summary.state).toBe("stopped");
  });
});
