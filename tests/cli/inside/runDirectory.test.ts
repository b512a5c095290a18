import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RunDirectory } from "../../../src/cli/RunDirectory.ts";
import { manifestToObject, parseManifest } from "../../../src/manifests/index.ts";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { type FileStore, memoryFileStore, readCheckpoint, StorageError } from "../../../src/storage/index.ts";
import type { TrainingEvent } from "../../../src/tracking/index.ts";
import { Boundary, type RunState as RunStateOf, yieldToEvents } from "../../../src/training/loop.ts";
import { initialMembers, initialState } from "../../../src/training/plan.ts";
import { decodeRun, type RunState, reinforcementLearning } from "../../../src/training/workloads.ts";
import { rlState } from "../../training/support/rlRuns.ts";
import { tinyManifest } from "../support.ts";

const manifest = parseManifest(tinyManifest());

/** A run's state after some generations of 100 steps each. */
function stateAt(generation: number): RunState {
  const env = findEnvironment(manifest.environment.name);
  const members = initialMembers(manifest, env, 1).map((m) => ({ ...m, steps: 100 * generation }));
  return { ...initialState(manifest, members, env), generation, gpu_workgroups: 64 };
}

let store: FileStore;
let events: TrainingEvent[];

/** The directory of a run: `offer` is called at generations' ends, and `finish` at the run's. */
function directory(every: number | null, given = store) {
  const sink = new RunDirectory({
    files: reinforcementLearning.files,
    store: given,
    base: "out/checkpoint",
    directory: "out",
    facts: {},
    seed: 3,
    manifest: manifestToObject(manifest),
    every,
    observer: { on: (event) => events.push(event) },
  });
  const at = (state: RunState) => new Boundary(state as RunStateOf, null);
  return {
    offer: (state: RunState) => sink.boundary(at(state)),
    finish: async (state: RunState) => {
      const end = { event: "end", reason: "stopped", global_step: 0, fitnesses: [] } as const;
      await sink.close(at(state), { end });
      return sink.kept;
    },
  };
}

/**
 * Resolves after `count` events, once it accepts offers. Directories exist before they are complete.
 */
const told = async (count: number) => {
  await expect.poll(() => events).toHaveLength(count);
  await yieldToEvents();
};

const directories = async () => (await store.list("out")).map(({ name }) => name);

beforeEach(() => {
  store = memoryFileStore();
  events = [];
});

describe("RunDirectory", () => {
  it("keeps the end of a run as one checkpoint that can be resumed", async () => {
    expect(await directory(null).finish(stateAt(2))).toMatchObject({
      checkpoint_path: "out/checkpoint_400",
      problem: null,
    });
    expect(events).toEqual([{ event: "checkpoint", path: "out/checkpoint_400", global_step: 400 }]);
    const { files, commit } = await readCheckpoint(store, "out/checkpoint_400");
    expect([commit.generation, commit.global_step]).toEqual([2, 400]);
    const saved = decodeRun(files, "out/checkpoint_400");
    expect([saved.seed, saved.state.members.length]).toEqual([3, 2]);
    expect(saved.state.members).toEqual(stateAt(2).members);
    expect(rlState(saved.state).gpu_workgroups).toBe(64);
  });

  it("replaces its checkpoints on the way, and the last of them by the end", async () => {
    const kept = directory(0);
    for (const generation of [1, 2, 3]) {
      await kept.offer(stateAt(generation));
      await told(generation);
      expect(await directories()).toEqual([`checkpoint_${200 * generation}`]);
    }
    await kept.finish(stateAt(4));
    expect(await directories()).toEqual(["checkpoint_800"]);
  });

  it("saves nothing on the way before its time", async () => {
    const kept = directory(3_600_000);
    await kept.offer(stateAt(1));
    await kept.finish(stateAt(2));
    expect(events).toHaveLength(1);
    expect(await directories()).toEqual(["checkpoint_400"]);
  });

  describe("by the clock", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it("has the first checkpoint within 10 s, amid a long generation too, and then one each 30 s", async () => {
      const kept = directory(30_000);
      vi.advanceTimersByTime(3_000);
      await kept.offer(stateAt(1));
      vi.advanceTimersByTime(1_000);
      await kept.offer(stateAt(2));
      expect(await directories()).toEqual([]);
      // The third generation continues.
      vi.advanceTimersByTime(5_000);
      await expect.poll(() => events).toHaveLength(1);
      expect(await directories()).toEqual(["checkpoint_400"]);
      vi.advanceTimersByTime(20_000);
      await kept.offer(stateAt(3));
      expect(await directories()).toEqual(["checkpoint_400"]);
      vi.advanceTimersByTime(12_000);
      await kept.offer(stateAt(4));
      await expect.poll(directories).toEqual(["checkpoint_800"]);
      await kept.finish(stateAt(5));
    });

    it("takes the first boundary that comes later than that", async () => {
      const kept = directory(30_000);
      vi.advanceTimersByTime(9_000);
      await kept.offer(stateAt(1));
      await expect.poll(directories).toEqual(["checkpoint_200"]);
      await kept.finish(stateAt(2));
    });

    it("ends with the checkpoint that it has of the last boundary", async () => {
      const kept = directory(30_000);
      vi.advanceTimersByTime(9_000);
      await kept.offer(stateAt(1));
      expect((await kept.finish(stateAt(1))).checkpoint_path).toBe("out/checkpoint_200");
      expect(await directories()).toEqual(["checkpoint_200"]);
      expect(events).toHaveLength(1);
    });
  });

  it("takes a snapshot: what training writes over afterwards is not in it", async () => {
    const kept = directory(0);
    const state = stateAt(1);
    const before = stateAt(1).members;
    await kept.offer(state);
    for (const member of state.members)
      for (const network of Object.values(member.networks))
        for (const values of Object.values(network.tensors)) values.fill(0);
    await told(1);
    const { files } = await readCheckpoint(store, "out/checkpoint_200");
    expect(decodeRun(files, "out/checkpoint_200").state.members).toEqual(before);
  });

  it("warns and goes on when a checkpoint on the way cannot be written, and keeps the one before", async () => {
    let full = false;
    const limited: FileStore = {
      ...store,
      write: (path, bytes) =>
        full ? Promise.reject(new StorageError("full", path, "no room")) : store.write(path, bytes),
    };
    const kept = directory(0, limited);
    await kept.offer(stateAt(1));
    await told(1);
    full = true;
    await kept.offer(stateAt(2));
    await told(2);
    expect(events.map(({ event }) => event)).toEqual(["checkpoint", "warning"]);
    expect(await directories()).toEqual(["checkpoint_200"]);
    expect(await kept.finish(stateAt(3))).toMatchObject({
      checkpoint_path: null,
      problem: expect.objectContaining({ message: expect.stringMatching(/no room/) }),
    });
    expect(await directories()).toEqual(["checkpoint_200"]);
  });
});
