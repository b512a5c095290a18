import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryFileStore, memoryRunLocks } from "../../src/storage/index.ts";
import { decodeAgent } from "../../src/training/files.ts";
import { yieldToEvents } from "../../src/training/loop.ts";
import type { Executor } from "../../src/training/workloads.ts";
import { episodeOfFile } from "../stage/inside/support/episodes.ts";
import { describeModel } from "../support/onnxFile.ts";
import { tinyDqn, tinyLander, tinyPpo } from "./support/manifests.ts";
import { mortalFiles } from "./support/mortalFiles.ts";
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

type Outcome = ReturnType<TestWorkbench["outcome"]>;
const known = new Map<string, Outcome>();
/** The outcome of an undisturbed run, trained once per manifest. */
function undisturbed(manifest: object): Outcome {
  const key = JSON.stringify(manifest);
  const train = async () => {
    const calm = await workbench();
    return calm.outcome(await calm.trainToEnd(manifest, SEED));
  };
  const outcome = known.get(key) ?? train();
  known.set(key, outcome);
  return outcome;
}

/** Yields to this thread's event loop for many iterations. A generation takes far fewer. */
async function turnsOfEvents(): Promise<void> {
  for (let turns = 0; turns < 1000; turns++) await yieldToEvents();
}

const endless = () => tinyDqn({ max_steps: 100_000_000 });

describe("a run", () => {
  it("trains to its end and says so", async () => {
    const bench = await workbench();
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const { summary, columns, latest, device, failure, manifest } = await bench.coordinator.snapshot(id);
    const generations = await bench.reportsOf(id);
    expect(summary).toMatchObject({
      id,
      name: "DQN CartPole-v1",
      state: "finished",
      algorithm: "DQN",
      environment: "CartPole-v1",
      generation: 4,
      global_step: 3 * 512,
    });
    expect(summary.bytes).toBeGreaterThan(0);
    expect(generations.map(({ generation }) => generation)).toEqual([1, 2, 3, 4]);
    expect([...columns.generation]).toEqual([1, 2, 3, 4]);
    expect([...columns.fitness]).toEqual(generations.flatMap(({ fitnesses }) => fitnesses));
    expect(latest).toEqual(generations[3]);
    expect(summary.best_fitness).toBe(Math.max(...generations.flatMap(({ fitnesses }) => fitnesses)));
    expect([failure, device?.kind]).toEqual([null, "wasm"]);
    expect(manifest).toMatchObject({ tournament_selection: { tournament_size: 2 } });
    expect(await bench.coordinator.listRuns()).toEqual([summary]);
    expect(bench.events.filter((e) => e.kind === "generation").map((e) => e.report)).toEqual(generations);
    await expect(bench.coordinator.resume(id)).rejects.toThrow("This run is finished; extend it");
    await expect(bench.coordinator.pause(id)).rejects.toThrow("not training");
  });

  it("gives the reports of all generations as they were told, live, ended and in the next tab", async () => {
    const disk = memoryFileStore();
    const bench = await workbench({ files: disk });
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn({ pop_size: 2, max_steps: 100_000_000 }), { seed: SEED });
    await bench.untilGeneration(id, 40);
    const told = () => bench.events.flatMap((e) => (e.kind === "generation" ? [e.report] : [])).slice(0, 40);
    expect(await coordinator.generations(id, 1, 40)).toEqual(told());
    await coordinator.stop(id);
    expect(await coordinator.generations(id, 1, 40)).toEqual(told());
    expect(await coordinator.generations(id, 3, 3)).toEqual([told()[2]]);
    const { latest, summary } = await coordinator.snapshot(id);
    expect(latest?.generation).toBe(summary.generation);

    const next = await workbench({ files: disk });
    expect(await next.coordinator.generations(id, 1, 40)).toEqual(told());
    await expect(next.coordinator.generations(id, 1, 400)).rejects.toThrow("at most 64 at once");
    await next.coordinator.deleteRun(id);
    await expect(next.coordinator.generations(id, 1, 1)).rejects.toThrow(`There is no run ${id}`);
  });

  it("tells what begins the same run again", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn(), { seed: SEED, device: "wasm" });
    await bench.firstState(id, "finished");
    const { manifest, options } = await coordinator.snapshot(id);
    expect(options).toEqual({ seed: SEED, device: "wasm" });
    const again = await coordinator.start(manifest, options);
    await bench.firstState(again, "finished");
    expect(await bench.outcome(again)).toEqual(await bench.outcome(id));
  });

  it("checks a manifest's text against its environment too", async () => {
    const { coordinator } = await workbench();
    const text = "algorithm:\n  name: DQN\nenvironment:\n  name: Pendulum-v1\n";
    expect(await coordinator.check(text.replace("Pendulum-v1", "CartPole-v1"))).toEqual([]);
    expect(await coordinator.check(text)).toEqual([
      expect.objectContaining({ path: "environment.name", line: 4, code: "rule" }),
    ]);
    // Also of the algorithm that was probably meant.
    expect(await coordinator.check(text.replace("DQN", "DQM"))).toEqual([
      expect.objectContaining({ path: "algorithm.name", line: 2 }),
      expect.objectContaining({ path: "environment.name", line: 4, code: "rule" }),
    ]);
  });

  it.each([
    ["DQN", tinyDqn({ max_steps: 1024 })],
    ["PPO", tinyPpo({ max_steps: 1536 })],
  ])("held, stopped and resumed ends with the bits of one that was not: %s", async (_, manifest) => {
    const bench = await workbench();
    const { coordinator } = bench;
    const expected = await undisturbed(manifest);

    const id = await coordinator.start(manifest, { seed: SEED });
    await bench.untilGeneration(id, 1);
    await coordinator.pause(id);
    // A generation whose last slice is already done may still end.
    await turnsOfEvents();
    const held = bench.generationsOf(id);
    await turnsOfEvents();
    expect(bench.generationsOf(id)).toBe(held);
    expect((await coordinator.snapshot(id)).summary.state).toBe("paused");
    await coordinator.resume(id);
    await bench.untilGeneration(id, held + 2);
    await coordinator.stop(id);
    const stopped = await coordinator.snapshot(id);
    expect(stopped.summary.state).toBe("stopped");
    expect(stopped.summary.generation).toBe(stopped.columns.generation.length);
    expect((await bench.store.latestCheckpoint(id))?.commit.generation).toBe(stopped.summary.generation);

    await coordinator.resume(id);
    await bench.nextState(id, "finished");
    expect(await bench.outcome(id)).toEqual(expected);
  });

  it.each([
    ["DQN", tinyDqn({ max_steps: 1024 })],
    ["PPO", tinyPpo({ max_steps: 1536 })],
  ])("interrupted with its tab ends with the bits of one that was not: %s", async (_, manifest) => {
    const expected = await undisturbed(manifest);

    const disk = memoryFileStore();
    const files = mortalFiles(disk);
    // The clock is frozen, so that only the first generation is committed.
    const first = await workbench({ files, now: () => 0 });
    const id = await first.coordinator.start(manifest, { seed: SEED });
    await first.until((e) => e.kind === "checkpoint");
    await first.untilGeneration(id, 3);
    files.kill();

    const second = await workbench({ files: disk });
    const { report } = await second.coordinator.storage();
    expect(report).toContainEqual(expect.stringMatching(/interrupted; resume it from generation \d/));
    const [found] = await second.coordinator.listRuns();
    expect(found).toMatchObject({ id, state: "interrupted" });
    const checkpoint = await second.store.latestCheckpoint(id);
    expect(checkpoint?.commit.generation).toBeLessThan(3);
    await second.coordinator.resume(id);
    await second.nextState(id, "finished", "failed");
    expect(await second.outcome(id)).toEqual(expected);
  });

  it("says when it has ended how it did, and what it has grown to, here and in the next tab", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const id = await bench.coordinator.start(tinyPpo(), { seed: SEED });
    const [started] = await bench.coordinator.listRuns();
    await bench.firstState(id, "finished");
    await expect.poll(() => bench.coordinator.holds(id)).toBe(false);
    const next = await workbench({ files });
    const [found] = await next.coordinator.listRuns();
    expect(found?.end).toEqual({ reason: "max_steps", at: expect.any(Number) });
    expect(found?.bytes).toBeGreaterThan(10 * (started?.bytes ?? 0));
    expect(found?.sparkline).toHaveLength(found?.generation ?? 0);
    expect(found?.steps_per_second).toBeGreaterThan(0);
    // The first tab was told the same without asking.
    const rows = () => bench.events.flatMap((event) => (event.kind === "summary" ? [event.summary] : []));
    await expect.poll(() => rows().at(-1)).toEqual({ ...found, updated_at: expect.any(Number) });
    const early = tinyPpo();
    const target = { ...early, training: { ...early.training, target_score: -1e6 } };
    const reached = await next.trainToEnd(target, SEED);
    expect((await next.coordinator.snapshot(reached)).summary.end?.reason).toBe("target");
    await expect.poll(() => next.coordinator.holds(reached)).toBe(false);
    await next.coordinator.extend(reached, 2000);
    expect((await next.coordinator.snapshot(reached)).summary.end).toBeNull();
    await next.coordinator.stop(reached);
    expect((await next.coordinator.snapshot(reached)).summary.end?.reason).toBe("stopped");
  });

  it("paused when its tab closes has lost no generation, and says that it was paused", async () => {
    const disk = memoryFileStore();
    const files = mortalFiles(disk);
    // The clock is frozen, so that only the first generation is committed while it trains.
    const first = await workbench({ files, now: () => 0 });
    const id = await first.coordinator.start(endless(), { seed: SEED });
    await first.untilGeneration(id, 3);
    await first.coordinator.pause(id);
    const { generation } = (await first.coordinator.snapshot(id)).summary;
    await first.until((e) => e.kind === "checkpoint" && e.generation === generation);
    files.kill();
    const second = await workbench({ files: disk });
    expect((await second.coordinator.listRuns())[0]).toMatchObject({
      state: "interrupted",
      end: { reason: "closed_paused" },
      last_checkpoint: { generation },
    });
  });

  it("waits in the list for the runs before it, as queued", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const first = await coordinator.start(endless());
    const second = await coordinator.queue(endless(), { name: "Second" });
    expect((await coordinator.listRuns()).filter(({ waiting }) => waiting).map(({ id }) => id)).toEqual([
      second,
    ]);
    await bench.until((e) => e.kind === "summary" && e.summary.id === second && e.summary.waiting);
    await coordinator.stop(first);
    await bench.nextState(second, "running");
    expect((await coordinator.listRuns()).filter(({ waiting }) => waiting)).toEqual([]);
  });

  it("interrupted before its first checkpoint starts from the beginning", async () => {
    const expected = await undisturbed(tinyPpo());
    const disk = memoryFileStore();
    const files = mortalFiles(disk);
    const first = await workbench({ files });
    const id = await first.coordinator.start(tinyPpo(), { seed: SEED });
    files.kill();
    const second = await workbench({ files: disk });
    expect((await second.coordinator.listRuns())[0]?.state).toBe("interrupted");
    await expect(second.coordinator.agent(id, { kind: "elite" })).rejects.toThrow("is not stored");
    await second.coordinator.resume(id);
    await second.nextState(id, "finished", "failed");
    expect(await second.outcome(id)).toEqual(expected);
  });

  it("starts from YAML text like from an object", async () => {
    const bench = await workbench();
    const text = JSON.stringify(tinyPpo()).replaceAll('"', "");
    const yaml = text.replaceAll(":", ": ").replaceAll(",", ", ");
    const one = await bench.outcome(await bench.trainToEnd(yaml, SEED));
    expect(one).toEqual(await undisturbed(tinyPpo()));
  });

  it("is one at a time; another may start while it is held", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const [first] = await Promise.all([
      coordinator.start(endless()),
      expect(coordinator.start(tinyPpo())).rejects.toThrow("pause or stop the running one first"),
    ]);
    await coordinator.pause(first);
    const second = await coordinator.start(endless(), { name: "Second" });
    await expect(coordinator.resume(first)).rejects.toThrow("DQN on CartPole-v1 is training already");
    await coordinator.stop(second);
    await coordinator.resume(first);
    await bench.untilGeneration(first, 2);
    await coordinator.stop(first);
    const states = (await coordinator.listRuns()).map(({ name, state }) => `${name} ${state}`);
    expect(states.sort()).toEqual(["DQN CartPole-v1 stopped", "Second stopped"]);
  });

  it.each(["running", "paused", "stopped"] as const)("can be deleted while %s", async (state) => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(endless());
    await bench.untilGeneration(id, 1);
    if (state === "paused") await coordinator.pause(id);
    if (state === "stopped") await coordinator.stop(id);
    await coordinator.deleteRun(id);
    expect(await coordinator.listRuns()).toEqual([]);
    expect(await bench.files.list("/v1/runs")).toEqual([]);
    for (const call of [
      coordinator.snapshot(id),
      coordinator.pause(id),
      coordinator.resume(id),
      coordinator.stop(id),
      coordinator.deleteRun(id),
      coordinator.downloadElite(id),
    ])
      await expect(call).rejects.toThrow(`There is no run ${id}`);
    await coordinator.start(tinyPpo());
  });

  it("is not started by what cannot run, and nothing stays of it", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const { algorithm, ...rest } = tinyDqn();
    await expect(coordinator.start({ ...rest, algorithm: { ...algorithm, lr: -1 } })).rejects.toMatchObject({
      name: "SpecError",
      issues: [expect.objectContaining({ path: "algorithm.lr" })],
    });
    await expect(coordinator.start("algorithm: [")).rejects.toMatchObject({ name: "SpecError" });
    await expect(coordinator.start(null)).rejects.toThrow("found nothing");
    const environment = { env_type: "gym", name: "CartPole-v2" };
    await expect(coordinator.start({ ...rest, algorithm, environment })).rejects.toThrow("CartPole-v1");
    const replay_buffer = { kind: "classic", max_size: 3 };
    await expect(coordinator.start({ ...rest, algorithm, replay_buffer })).rejects.toThrow(
      "replay_buffer.max_size",
    );
    await expect(coordinator.start(tinyDqn(), { device: "webgpu" })).rejects.toThrow("no GPU here");
    expect(await coordinator.listRuns()).toEqual([]);
    expect(await bench.files.list("/v1/runs")).toEqual([]);
  });
});

describe("the elite", () => {
  it("plays where JavaScript steps the environment, with all that the drawing needs", async () => {
    const bench = await workbench();
    const id = await bench.trainToEnd(tinyLander({ pop_size: 1, max_steps: 128 }), SEED);
    const elite = await bench.coordinator.agent(id, { kind: "elite" });
    const { states, actions } = await episodeOfFile(elite);
    expect(actions.length).toBeGreaterThan(29);
    // The lander descends over unchanging ground.
    expect(states[0]?.[1]).toBeGreaterThan(states.at(-1)?.[1] ?? Infinity);
    expect(states.at(-1)?.slice(-11)).toEqual(states[0]?.slice(-11));
  });

  it("plays and is downloaded with the options that its environment had", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const env_config = { desc: ["SG"], is_slippery: false };
    const environment = { env_type: "gym", name: "FrozenLake-v1", num_envs: 4, env_config };
    const id = await bench.trainToEnd({ ...tinyDqn({ pop_size: 1, max_steps: 256 }), environment }, SEED);
    const walker = await coordinator.agent(id, { kind: "elite" });
    expect(walker).toMatchObject({ environment: "FrozenLake-v1", env_config });
    expect((await episodeOfFile(walker)).totals.at(-1)).toBe(1);
    const { bytes } = await coordinator.downloadElite(id);
    expect(decodeAgent(bytes, "elite")).toMatchObject({ env_config, observation_space: { n: 2 } });
    const lander = { ...tinyLander({ pop_size: 1, max_steps: 128 }) };
    const low = { ...lander.environment, env_config: { gravity: -1, max_episode_steps: 12 } };
    const other = await bench.trainToEnd({ ...lander, environment: low }, SEED);
    const slow = await coordinator.agent(other, { kind: "elite" });
    expect(slow.env_config).toEqual(low.env_config);
    expect((await episodeOfFile(slow)).actions).toHaveLength(12);
  });

  it("refuses to start with options that its environment lacks, and stores nothing", async () => {
    const bench = await workbench();
    const environment = { ...tinyDqn().environment, env_config: { gravity: 3 } };
    await expect(bench.coordinator.start({ ...tinyDqn(), environment })).rejects.toThrow(
      /environment\.env_config\.gravity: unknown key "gravity"; allowed keys: .*sutton_barto_reward/,
    );
    expect(await bench.coordinator.listRuns()).toEqual([]);
  });

  it("plays and is downloaded while the run trains, and is not there before the first generation", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(endless());
    await expect(coordinator.agent(id, { kind: "elite" })).rejects.toThrow("is not stored");
    await expect(coordinator.downloadElite(id)).rejects.toThrow("no elite yet");
    await expect(coordinator.downloadPolicy(id)).rejects.toThrow("no elite yet");
    await bench.untilGeneration(id, 1);
    expect((await coordinator.agent(id, { kind: "elite" })).generation).toBeGreaterThan(0);
    const { name, bytes } = await coordinator.downloadElite(id);
    expect(name).toBe("CartPole-v1-DQN-elite.safetensors");
    const file = decodeAgent(bytes, name);
    expect(file).toMatchObject({ environment: "CartPole-v1", num_envs: 4, agent: { algorithm: "DQN" } });
    const policy = await coordinator.downloadPolicy(id);
    expect(policy.name).toBe("CartPole-v1-DQN-policy.onnx");
    expect(describeModel(policy.bytes).metadata).toMatchObject({
      algorithm: "DQN",
      environment: "CartPole-v1",
    });
    await coordinator.stop(id);
  });
});

/** Fails in a given generation, a given number of times. */
class Failing extends OneThread {
  readonly #failures: { left: number; readonly at: number; readonly error: Error };

  constructor(failures: { left: number; readonly at: number; readonly error: Error }) {
    super();
    this.#failures = failures;
  }

  override async generation(...args: Parameters<Executor["generation"]>) {
    const [turns] = args;
    if (turns[0]?.turn.generation === this.#failures.at && this.#failures.left > 0) {
      this.#failures.left--;
      throw this.#failures.error;
    }
    return super.generation(...args);
  }
}

describe("what goes wrong", () => {
  it("in training becomes a failed run that says what to do, and can be resumed", async () => {
    const expected = await undisturbed(tinyDqn());
    const failures = { left: 1, at: 3, error: new Error("the lights went out") };
    const bench = await workbench({ makeExecutor: () => new Failing(failures) });
    const { coordinator } = bench;
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const failure =
      "Generation 3 failed: the lights went out. Resume tries again from generation 2; " +
      "if it fails again, start a run with other settings.";
    expect(bench.events).toContainEqual({
      run: id,
      kind: "state",
      state: "failed",
      failure,
      end: { reason: "failed", at: expect.any(Number) },
    });
    expect(await coordinator.snapshot(id)).toMatchObject({ failure, summary: { state: "failed" } });
    await coordinator.resume(id);
    expect((await coordinator.snapshot(id)).failure).toBeNull();
    await bench.nextState(id, "finished", "failed");
    expect(await bench.outcome(id)).toEqual(expected);
  });

  it("when executors cannot start becomes a failed run too", async () => {
    class Dead extends OneThread {
      override async open(): Promise<void> {
        throw new Error("WebAssembly SIMD is not available here");
      }
    }
    const bench = await workbench({ makeExecutor: () => new Dead() });
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const { failure, summary } = await bench.coordinator.snapshot(id);
    expect(summary.state).toBe("failed");
    expect(failure).toContain("WebAssembly SIMD is not available here");
    expect(failure).toContain("from the beginning");
  });

  it("with a full disk is a notice: training goes on and the earlier checkpoint is kept", async () => {
    const files = memoryFileStore({ capacity: 500_000 });
    let now = 0;
    const bench = await workbench({ files, now: () => now });
    const { coordinator } = bench;
    const id = await coordinator.start(endless(), { seed: SEED });
    await bench.until((e) => e.kind === "checkpoint");
    const kept = (await bench.store.latestCheckpoint(id))?.commit.generation ?? 0;
    const { used = 0, quota = 0 } = (await files.estimate()) ?? {};
    await files.write("/filler", new Uint8Array(quota - used));
    now = 60_000;
    const event = await bench.until((e) => e.kind === "notice" && e.notice.level === "error");
    const message = event.kind === "notice" ? event.notice.message : "";
    expect(message).toContain("no room");
    expect(message).toContain(`generation ${kept}, saved before, is kept`);
    expect(message).toContain("Delete runs that are not needed");
    const reached = bench.generationsOf(id);
    await bench.untilGeneration(id, reached + 2);
    expect((await bench.store.latestCheckpoint(id))?.commit.generation).toBe(kept);

    // Unsaved data stays in memory while the tab is open, and is saved once there is room.
    const unsaved = { since: kept + 1, full: true, reason: expect.stringContaining("no room") };
    expect(bench.events).toContainEqual({ run: id, kind: "unsaved", unsaved });
    expect((await coordinator.listRuns())[0]).toMatchObject({ id, unsaved });
    await coordinator.stop(id);
    const stopped = await coordinator.snapshot(id);
    expect(stopped.summary).toMatchObject({ state: "stopped", unsaved });
    expect(stopped.summary.generation).toBeGreaterThan(kept);
    expect((await coordinator.downloadElite(id)).bytes.byteLength).toBeGreaterThan(0);
    await files.remove("/filler");
    await coordinator.resume(id);
    await bench.untilGeneration(id, stopped.summary.generation + 1);
    await coordinator.stop(id);
    const { summary, columns } = await coordinator.snapshot(id);
    expect(summary.unsaved).toBeNull();
    expect((await bench.store.latestCheckpoint(id))?.commit.generation).toBe(summary.generation);
    expect([...columns.generation]).toEqual([...columns.generation.keys()].map((i) => i + 1));
  });

  it("with a full disk at the end is mended once there is room: the ended run is saved by itself", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const files = memoryFileStore({ capacity: 500_000 });
    const locks = memoryRunLocks();
    const bench = await workbench({ files, locks });
    const { coordinator } = bench;
    const id = await coordinator.start(endless(), { seed: SEED });
    await bench.until((e) => e.kind === "checkpoint");
    const { used = 0, quota = 0 } = (await files.estimate()) ?? {};
    await files.write("/filler", new Uint8Array(quota - used));
    await bench.untilGeneration(id, bench.generationsOf(id) + 1);
    await coordinator.stop(id);
    const { generation, unsaved } = (await coordinator.snapshot(id)).summary;
    expect(unsaved).toMatchObject({ full: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await coordinator.snapshot(id)).summary.unsaved).not.toBeNull();
    expect(coordinator.holds(id)).toBe(true);

    await files.remove("/filler");
    const seen = bench.events.length;
    await vi.advanceTimersByTimeAsync(10_000);
    await bench.until(
      (e) => e.kind === "summary" && e.summary.unsaved === null && bench.events.indexOf(e) >= seen,
    );
    expect((await bench.store.latestCheckpoint(id))?.commit.generation).toBe(generation);
    await expect.poll(() => coordinator.holds(id)).toBe(false);
    // Nobody holds its lock: another tab can open it.
    const next = await workbench({ files, locks });
    await next.coordinator.recover();
    expect((await next.coordinator.snapshot(id)).summary).toMatchObject({
      state: "stopped",
      generation,
      unsaved: null,
    });
  });

  it("with a checkpoint is told, and the one before it is taken", async () => {
    const disk = memoryFileStore();
    const bench = await workbench({ files: disk });
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn({ max_steps: 2048 }), { seed: SEED });
    await bench.untilGeneration(id, 2);
    await coordinator.stop(id);
    const checkpoints = await bench.store.listCheckpoints(id);
    expect(checkpoints.length).toBeGreaterThanOrEqual(2);
    const damage = async (dir = "") => {
      const path = `${dir}/member_0.safetensors`;
      await disk.write(
        path,
        (await disk.read(path)).map((byte) => byte + 1),
      );
    };
    await damage(checkpoints.at(-1)?.dir);
    const next = await workbench({ files: disk });
    await next.coordinator.resume(id);
    const event = await next.until((e) => e.kind === "notice");
    expect(event.kind === "notice" && event.notice.message).toMatch(/^A checkpoint was skipped\..+damaged/);
    await next.coordinator.stop(id);

    for (const { dir } of await next.store.listCheckpoints(id)) await damage(dir).catch(() => undefined);
    const last = await workbench({ files: disk });
    await expect(last.coordinator.resume(id)).rejects.toThrow("None of this run's checkpoints can be read");
    expect((await last.coordinator.listRuns())[0]?.state).toBe("stopped");
  });

  it("with a manifest that is gone: it is made anew from a checkpoint, and the bits are the same", async () => {
    const manifest = tinyDqn({ max_steps: 1024 });
    const expected = await undisturbed(manifest);
    const disk = memoryFileStore();
    const first = await workbench({ files: disk });
    const id = await first.coordinator.start(manifest, { seed: SEED, name: "Mine" });
    await first.untilGeneration(id, 2);
    await first.coordinator.stop(id);
    const stopped = await first.coordinator.snapshot(id);
    await disk.remove(`/v1/runs/${id}/manifest.json`);

    const second = await workbench({ files: disk });
    const { report } = await second.coordinator.storage();
    expect(report.join()).toMatch(/its manifest\.json was missing and was restored from checkpoint 0000/);
    const found = await second.coordinator.snapshot(id);
    expect(found.manifest).toEqual(stopped.manifest);
    expect(found.options.seed).toBe(SEED);
    expect(found.summary).toMatchObject({ name: "DQN CartPole-v1", state: "stopped" });
    await second.coordinator.resume(id);
    await second.nextState(id, "finished", "failed");
    expect(await second.outcome(id)).toEqual(expected);
  });

  it("with a manifest that no checkpoint can tell: the run is listed, and says what is missing", async () => {
    const disk = memoryFileStore();
    const first = await workbench({ files: disk });
    const id = await first.trainToEnd(tinyDqn(), SEED);
    await disk.remove(`/v1/runs/${id}/manifest.json`);
    const checkpoints = await first.store.listCheckpoints(id);
    for (const { dir } of checkpoints) {
      const path = `${dir}/run.json`;
      await disk.write(path, new Uint8Array((await disk.read(path)).byteLength));
    }
    const second = await workbench({ files: disk });
    expect(await second.coordinator.listRuns()).toMatchObject([{ id, generation: 4, algorithm: "unknown" }]);
    expect((await second.coordinator.storage()).report.join()).toContain("its manifest.json is missing");
    await expect(second.coordinator.snapshot(id)).rejects.toThrow(
      `its ${checkpoints.length} checkpoint(s) are kept`,
    );
    expect(await second.store.listCheckpoints(id)).toHaveLength(checkpoints.length);
    await second.coordinator.deleteRun(id);
    expect(await disk.list("/v1/runs")).toEqual([]);
  });

  it("in another tab is told: a run that is live there is left alone", async () => {
    const [files, locks] = [memoryFileStore(), memoryRunLocks()];
    const here = await workbench({ files, locks });
    const id = await here.coordinator.start(endless());
    await here.until((e) => e.kind === "checkpoint");
    const there = await workbench({ files, locks });
    expect(await there.coordinator.listRuns()).toMatchObject([{ id, state: "running" }]);
    await expect(there.coordinator.resume(id)).rejects.toMatchObject({ code: "locked" });
    await expect(there.coordinator.deleteRun(id)).rejects.toMatchObject({ code: "locked" });
    await expect(there.coordinator.stop(id)).rejects.toThrow("live in another tab");
    await here.coordinator.stop(id);
    expect((await here.coordinator.snapshot(id)).summary.state).toBe("stopped");
  });
});

describe("a run whose files are deleted while it is live", () => {
  const lossOf = (bench: TestWorkbench) =>
    bench.until((e) => e.kind === "notice" && e.notice.message.includes("were deleted while it is live"));

  it("says so and is written anew, so that it can be resumed later", async () => {
    const disk = memoryFileStore();
    const bench = await workbench({ files: disk });
    const { coordinator } = bench;
    const id = await coordinator.start(endless(), { seed: SEED, name: "Mine" });
    await bench.until((e) => e.kind === "checkpoint");
    await bench.untilGeneration(id, 40);
    await disk.remove("/v1");
    const loss = await lossOf(bench);
    expect(loss).toMatchObject({ run: id, notice: { level: "error" } });
    expect(loss.kind === "notice" && loss.notice.message).toMatch(
      /\(manifest, log, checkpoints\).*the data of this site was cleared.*the files are rewritten/,
    );
    const known = bench.events.indexOf(loss);
    await bench.until((e) => e.kind === "checkpoint" && bench.events.indexOf(e) > known);
    await coordinator.stop(id);
    expect(bench.events.filter((e) => e.kind === "notice" && e.notice.level === "error")).toEqual([loss]);
    const before = await coordinator.snapshot(id);

    const next = await workbench({ files: disk });
    const { columns, latest, notices, summary, manifest } = await next.coordinator.snapshot(id);
    expect(summary).toMatchObject({ name: "Mine", state: "stopped", created_at: before.summary.created_at });
    expect(manifest).toEqual(before.manifest);
    expect(columns).toEqual(before.columns);
    expect([...columns.generation]).toEqual(Array.from(columns.generation, (_, i) => i + 1));
    expect(notices).toEqual(before.notices);
    expect(latest?.generation).toBe(summary.generation);
    const told = bench.events.flatMap((e) => (e.kind === "generation" ? [e.report] : []));
    // The first reports were lost with their log, except for those that were still waiting in memory.
    const kept = await next.coordinator.generations(id, 1, 3);
    expect(told.slice(0, 3)).toEqual(expect.arrayContaining([...kept]));
    expect(await next.coordinator.generations(id, summary.generation - 4, summary.generation)).toEqual(
      told.slice(-5),
    );
    await next.coordinator.resume(id);
    await next.untilGeneration(id, summary.generation + 2);
    await next.coordinator.stop(id);
  });

  it("ends with the bits that it would have had, also when that is found at the end", async () => {
    const manifest = tinyDqn({ max_steps: 1024 });
    const expected = await undisturbed(manifest);
    const disk = memoryFileStore();
    const bench = await workbench({ files: disk });
    const { coordinator } = bench;
    const id = await coordinator.start(manifest, { seed: SEED });
    await bench.untilGeneration(id, 3);
    await coordinator.pause(id);
    await disk.remove("/v1/runs");
    expect(await coordinator.listRuns()).toMatchObject([{ id, state: "paused" }]);
    await coordinator.resume(id);
    await bench.nextState(id, "finished", "failed");
    await lossOf(bench);
    expect(await bench.outcome(id)).toEqual(expected);
    const next = await workbench({ files: disk });
    expect((await next.coordinator.storage()).report).toEqual([]);
    expect(await next.outcome(id)).toEqual(expected);
  });

  it.each([
    ["manifest", "manifest.json"],
    ["log", "log"],
    ["checkpoints", "ck"],
  ])("is mended where the %s alone is gone, and keeps the rest", async (name, path) => {
    const disk = memoryFileStore();
    const bench = await workbench({ files: disk });
    const { coordinator } = bench;
    const id = await coordinator.start(endless(), { seed: SEED });
    await bench.until((e) => e.kind === "checkpoint");
    await bench.untilGeneration(id, 30);
    await coordinator.pause(id);
    const { summary } = await coordinator.snapshot(id);
    await disk.remove(`/v1/runs/${id}/${path}`);
    await coordinator.resume(id);
    const loss = await lossOf(bench);
    expect(loss.kind === "notice" && loss.notice.message).toContain(`live (${name}):`);
    const known = bench.events.indexOf(loss);
    await bench.until((e) => e.kind === "checkpoint" && bench.events.indexOf(e) > known);
    await coordinator.stop(id);

    const next = await workbench({ files: disk });
    const { columns } = await next.coordinator.snapshot(id);
    expect([...columns.generation]).toEqual(Array.from(columns.generation, (_, i) => i + 1));
    expect(columns.generation.length).toBeGreaterThan(summary.generation);
    expect(await next.coordinator.generations(id, 1, 3)).toHaveLength(name === "log" ? 0 : 3);
    expect((await next.store.latestCheckpoint(id))?.commit.generation).toBe(columns.generation.length);
    await next.coordinator.resume(id);
    await next.untilGeneration(id, columns.generation.length + 1);
    await next.coordinator.stop(id);
  });
});

describe("workers", () => {
  it("leave one core to a visible tab, and are no more than there are members", async () => {
    const made: OneThread[] = [];
    const asked: number[] = [];
    const bench = await workbench({
      cores: 3,
      makeExecutor: ({ workers }) => {
        asked.push(workers);
        const executor = new OneThread();
        made.push(executor);
        return executor;
      },
    });
    const { coordinator } = bench;
    const id = await coordinator.start(endless());
    expect(made[0]?.visible).toBe(true);
    await coordinator.setVisible(false);
    expect(made[0]).toMatchObject({ workers: 3, visible: false });
    await coordinator.setVisible(true);
    expect(made[0]).toMatchObject({ workers: 2, visible: true });
    await coordinator.stop(id);
    await coordinator.setVisible(false);
    const two = await coordinator.start(tinyDqn({ pop_size: 2, max_steps: 100_000_000 }));
    expect(asked).toEqual([2, 2]);
    await coordinator.stop(two);
  });
});

describe("the device of a run", () => {
  it("is auto unless another is asked for, and told again when the choice is made", async () => {
    const asked: string[] = [];
    const executor = Object.assign(new OneThread(), { device: "wasm", reason: "not yet known" } as const);
    const bench = await workbench({
      makeExecutor: ({ device }) => {
        asked.push(device);
        return executor;
      },
    });
    const { coordinator } = bench;
    const id = await coordinator.start(endless());
    expect(asked).toEqual(["auto"]);
    expect((await coordinator.snapshot(id)).device).toMatchObject({ kind: "wasm", reason: "not yet known" });
    Object.assign(executor, { device: "webgpu", reason: "it is faster" });
    const told = await bench.until((e) => e.kind === "device" && e.device.kind === "webgpu");
    expect(told).toMatchObject({ run: id, device: { reason: "it is faster" } });
    await coordinator.stop(id);
  });
});

describe("compiled programs", () => {
  it("are told while the run trains or is held, and not before or after", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(endless(), { seed: SEED });
    await bench.untilGeneration(id, 1);
    const early = await coordinator.kernels(id);
    expect(early?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["CartPole-v1.reset", "DQN.turn", "DQN.evaluate"]),
    );
    await coordinator.pause(id);
    expect((await coordinator.kernels(id))?.length).toBeGreaterThanOrEqual(3);
    await coordinator.stop(id);
    expect(await coordinator.kernels(id)).toBeNull();
    await expect(coordinator.kernels("nothing")).rejects.toThrow("There is no run nothing");
  });
});

describe("storage", () => {
  it("says what there is", async () => {
    const files = memoryFileStore({ capacity: 1000 });
    const bench = await workbench({ files });
    expect(await bench.coordinator.storage()).toEqual({
      kind: "memory",
      used: 0,
      quota: 1000,
      report: [],
      runs: [],
      persisted: null,
    });
    await files.write("/a/b/c", new Uint8Array(300));
    await files.write("/d", new Uint8Array(20));
    expect(await bench.coordinator.storedBytes()).toBe(320);
  });
});
