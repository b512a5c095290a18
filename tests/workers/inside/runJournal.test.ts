import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type FileStore,
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  RunStore,
} from "../../../src/storage/index.ts";
import { Boundary, type RunState as RunStateOf } from "../../../src/training/loop.ts";
import { type RunState, reinforcementLearning } from "../../../src/training/workloads.ts";
import { RunHistory } from "../../../src/workers/coordinator.ts";
import { RunJournal } from "../../../src/workers/runs/runJournal.ts";
import { completionsReport } from "../../tracking/completionReports.ts";
import { inThread } from "../../training/support/rlRuns.ts";
import { tinyDqn, tinyPpo } from "../support/manifests.ts";
import { buildRun } from "../support/trainWith.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const { state } = buildRun(tinyPpo({ pop_size: 1 }), inThread());
const boundaryOf = (reached: RunState, fitness: number | null) =>
  new Boundary(reached as RunStateOf, fitness);
const boundary = (generation: number) => boundaryOf({ ...state, generation }, generation);

async function journalOf(store: RunStore) {
  const { id } = await store.createRun({ name: "A", manifest: {} });
  const commits: number[] = [];
  const notices: string[] = [];
  const history = new RunHistory();
  const journal = new RunJournal({
    files: reinforcementLearning.files,
    store,
    id,
    history,
    origin: {},
    now: Date.now,
    specHash: "h",
    seed: 1,
    manifest: {},
    saved: 0,
    onCheckpoint: (generation) => commits.push(generation),
    onNotice: (level, message) => notices.push(`${level}: ${message}`),
  });
  return { id, journal, history, commits, notices };
}

const newStore = (capacity?: number) =>
  new RunStore({
    files: memoryFileStore(capacity === undefined ? {} : { capacity }),
    index: memoryRunIndex(),
    locks: memoryRunLocks(),
  });

describe("RunJournal", () => {
  it("commits at most every 10 s, and then the last boundary of all", async () => {
    const { journal, commits } = await journalOf(newStore());
    journal.boundary(boundary(1));
    await journal.flush();
    expect(commits).toEqual([1]);
    for (let generation = 2; generation < 6; generation++) {
      await vi.advanceTimersByTimeAsync(1000);
      journal.boundary(boundary(generation));
    }
    await journal.flush();
    expect(commits).toEqual([1]);
    await vi.advanceTimersByTimeAsync(6000);
    await journal.flush();
    expect(commits).toEqual([1, 5]);
    // Nothing new: nothing to commit.
    await vi.advanceTimersByTimeAsync(60_000);
    await journal.flush();
    expect(commits).toEqual([1, 5]);
    expect(journal.saved).toBe(5);
    await journal.close();
  });

  it("writes events a second later, or with the next checkpoint, in order", async () => {
    const store = newStore();
    const { id, journal } = await journalOf(store);
    const resumed = (generation: number) => ({ type: "resumed", generation }) as const;
    const logged = async () => (await store.readLog(id)).events.map(({ event }) => event.generation);
    journal.add(resumed(1), { generation: 1 });
    expect(await logged()).toEqual([]);
    expect(journal.isClean).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    await journal.flush();
    expect(await logged()).toEqual([1]);
    expect((await store.getRun(id))?.generation).toBe(1);
    journal.add(resumed(2));
    journal.add(resumed(3));
    await journal.commit(boundary(3));
    expect(await logged()).toEqual([1, 2, 3]);
    expect(journal.isClean).toBe(true);
    await journal.close();
    journal.add(resumed(4));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await logged()).toEqual([1, 2, 3]);
  });

  it("drops every second policy that waits where generations are faster than the disk, never the newest", async () => {
    const store = newStore();
    const { id, journal } = await journalOf(store);
    const elite = (generation: number) => {
      const policy = new Uint8Array([generation, generation >> 8]);
      return { generation, global_step: generation, fitness: generation, index: 0, policy };
    };
    for (let generation = 1; generation <= 2000; generation++) {
      journal.addElite(elite(generation));
      journal.addPopulation(elite(generation));
    }
    await journal.flush();
    for (const kept of [store.fame, store.populations]) {
      const generations = (await kept.list(id)).map(({ generation }) => generation);
      expect(generations.length).toBeGreaterThanOrEqual(64);
      expect(generations.length).toBeLessThan(128);
      expect(generations.at(-1)).toBe(2000);
    }
    await journal.close();
  });

  it("writes the latest completions with a checkpoint, and keeps no more of them where it cannot", async () => {
    const store = newStore();
    const { id, journal, history } = await journalOf(store);
    const told = (generation: number) =>
      history.add({ type: "completions", report: completionsReport(generation) });
    for (const generation of [1, 2]) told(generation);
    await journal.commit(boundary(2));
    const logged = async () => (await store.readLog(id)).events.map(({ event }) => event);
    const second = { type: "completions", report: completionsReport(2) };
    expect(await logged()).toEqual([second]);

    const append = vi.spyOn(store, "appendLog").mockRejectedValue(new Error("the disk is gone"));
    for (const generation of [3, 4, 5]) {
      told(generation);
      await journal.commit(boundary(generation));
    }
    expect(journal.pending).toEqual([{ type: "completions", report: completionsReport(5) }]);
    append.mockRestore();
    await journal.flush();
    expect(await logged()).toEqual([second, { type: "completions", report: completionsReport(5) }]);
  });

  it("tells once that there is no room, and keeps what it could not write", async () => {
    const { journal, commits, notices } = await journalOf(newStore(2000));
    const big = { type: "notice", notice: { level: "info", message: "x".repeat(3000), at: 0 } } as const;
    journal.add(big);
    await journal.flush();
    await journal.flush();
    await journal.commit(boundary(1));
    expect(commits).toEqual([]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("nothing is saved yet");
    expect(journal.pending).toEqual([big]);
    await journal.close();
  });

  it("says since which generation nothing is saved, tries again by itself, and says when it is", async () => {
    const files = memoryFileStore({ capacity: 100_000 });
    const store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
    const { id, journal, commits } = await journalOf(store);
    await journal.commit(boundary(1));
    expect(journal.unsaved).toBeNull();
    const { used = 0, quota = 0 } = (await files.estimate()) ?? {};
    await files.write("/filler", new Uint8Array(quota - used));
    await vi.advanceTimersByTimeAsync(10_000);
    journal.boundary(boundary(2));
    await journal.flush();
    expect(journal.unsaved).toEqual({ since: 2, full: true, reason: expect.stringContaining("no room") });
    // A paused or ended run has no further boundaries.
    await vi.advanceTimersByTimeAsync(10_000);
    await journal.flush();
    expect(journal.unsaved).toMatchObject({ since: 2 });
    await files.remove("/filler");
    await vi.advanceTimersByTimeAsync(10_000);
    await journal.flush();
    expect(journal.unsaved).toBeNull();
    expect(commits).toEqual([1, 2]);
    expect((await store.latestCheckpoint(id))?.commit.generation).toBe(2);
    await journal.close();
  });

  it("tells of a checkpoint that cannot be encoded, and tries again at the next one", async () => {
    const store = newStore();
    const { id, journal, commits, notices } = await journalOf(store);
    const started = buildRun(tinyDqn({ pop_size: 1 }), inThread()).state;
    const { replay } = started;
    if (replay === null) throw new Error("the run has no replay memory");
    // Simulates a machine with too little memory for another copy of the replay buffers.
    const short = (generation: number): Boundary => {
      const state: RunState = {
        ...started,
        generation,
        replay: {
          ...replay,
          get segments(): never {
            throw new RangeError("Array buffer allocation failed");
          },
        },
      };
      return boundaryOf(state, null);
    };
    journal.boundary(short(1));
    await journal.flush();
    expect(commits).toEqual([]);
    expect(notices).toEqual([
      "warning: The checkpoint of generation 1 (environment step 0) could not be encoded: Array buffer allocation failed. " +
        "Training continues, but nothing is saved yet. Saving is tried again in 10 s.",
    ]);
    // The same notice is not repeated, and does not block later notices.
    await vi.advanceTimersByTimeAsync(10_000);
    journal.boundary(short(2));
    await journal.flush();
    expect(notices).toHaveLength(1);
    journal.boundary(boundary(3));
    await vi.advanceTimersByTimeAsync(10_000);
    await journal.flush();
    expect(commits).toEqual([3]);
    expect((await store.latestCheckpoint(id))?.commit.generation).toBe(3);
    // After a successful save, the same failure is reported again.
    await vi.advanceTimersByTimeAsync(10_000);
    await journal.commit(short(4));
    expect(notices).toHaveLength(2);
    expect(notices[1]).toContain("generation 3, saved before, is kept");
    await journal.close();
  });

  it("tells of files that are deleted while a checkpoint is written, once, and saves the next one", async () => {
    const files = memoryFileStore();
    let clears = false;
    const cleared: FileStore = {
      ...files,
      write: async (path, bytes) => {
        await files.write(path, bytes);
        if (!clears || !path.includes("member_0")) return;
        clears = false;
        await files.remove("/v1");
      },
    };
    const store = new RunStore({ files: cleared, index: memoryRunIndex(), locks: memoryRunLocks() });
    const { id, journal, commits, notices } = await journalOf(store);
    await journal.commit(boundary(1));
    clears = true;
    await journal.commit(boundary(2));
    expect(notices).toEqual([
      expect.stringMatching(/^error: Files of this run were deleted while it is live/),
    ]);
    expect(commits).toEqual([1]);
    expect((await store.readManifest(id)).manifest).toEqual({});
    journal.boundary(boundary(3));
    await journal.flush();
    expect(commits).toEqual([1, 3]);
    expect((await store.latestCheckpoint(id))?.commit.generation).toBe(3);
    expect(notices).toHaveLength(1);
    await journal.close();
  });

  it.each([
    ["the log is appended to", 1],
    ["its second batch is written anew", 3],
    ["the record is written anew", 4],
  ])("has all of the log also where files are deleted while %s", async (_, time) => {
    const files = memoryFileStore();
    let appends = Number.POSITIVE_INFINITY;
    // Simulates a browser that clears a site's data file by file while more is written.
    const cleared: FileStore = {
      ...files,
      append: async (path, bytes, expected) => {
        appends += 1;
        if (appends === 1 || appends === time) await files.remove("/v1");
        return files.append(path, bytes, expected);
      },
    };
    const store = new RunStore({ files: cleared, index: memoryRunIndex(), locks: memoryRunLocks() });
    const { id, journal, history, commits, notices } = await journalOf(store);
    const steer = (generation: number) => {
      const event = { type: "steering", generation, action: { kind: "replace", index: 0 } } as const;
      history.add(event);
      journal.add(event);
    };
    for (let generation = 1; generation <= 40; generation++) steer(generation);
    await journal.commit(boundary(1));
    appends = 0;
    steer(41);
    await journal.commit(boundary(41));
    expect(commits).toEqual([1, 41]);
    const { events, problems } = await store.readLog(id);
    expect(problems).toEqual([]);
    const steered = events.flatMap(({ event }) => (event.type === "steering" ? [event.generation] : []));
    expect(steered).toEqual(Array.from({ length: 41 }, (__, index) => index + 1));
    expect(notices).toEqual([
      expect.stringMatching(/^error: Files of this run were deleted while it is live/),
    ]);
    expect((await store.readManifest(id)).manifest).toEqual({});
    await journal.close();
  });
});
