import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { DivergedError } from "../../src/agents/index.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import type { TrainingEvent } from "../../src/tracking/observer.ts";
import { Gate, StoppedError, yieldToEvents } from "../../src/training/loop.ts";
import { type MemberTurn, type RunState, reinforcementLearning } from "../../src/training/workloads.ts";
import { WorkerExecutor } from "../../src/workers/computing.ts";
import { type Spawn, spawnWorker } from "../../src/workers/index.ts";
import { agentOf } from "../rl/support/agents.ts";
import { inThread } from "../training/support/rlRuns.ts";
import { timeless } from "../training/support/timeless.ts";
import { fakeSpawn, type Misfortune } from "./inside/support/fakeThread.ts";
import { keepThreads } from "./inside/support/keptThreads.ts";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { buildRun, trainWith } from "./support/trainWith.ts";

const spawn = keepThreads();

describe.each([
  ["DQN", tinyDqn()],
  ["PPO", tinyPpo()],
])("%s in worker threads", (_, manifest) => {
  let expected: RunState;
  beforeAll(async () => {
    expected = await trainWith(inThread(), manifest);
  });

  it.each([1, 3])("ends with the bits of a run in one thread: %i workers", async (workers) => {
    expect(expected.generation).toBeGreaterThanOrEqual(4);
    const found = await trainWith(
      new WorkerExecutor({ definition: reinforcementLearning, spawn, workers }),
      manifest,
    );
    expect(found).toEqual(expected);
  });
});

const SILENCE_MS = 60_000;

/** Freezes the timers that measure silence, so that the test controls them. */
const holdSilence = () => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });

/** Advances time by more than a worker may be silent. */
const passSilence = () => vi.advanceTimersByTime(2 * SILENCE_MS);

/** A run in fake workers, and its notices. */
function fakeRun(manifest: object, misfortunes: readonly Misfortune[], workers = 2) {
  const { spawn, threads } = fakeSpawn(...misfortunes);
  const notices: string[] = [];
  const events: TrainingEvent[] = [];
  const onNotice = (message: string) => notices.push(message);
  const executor = new WorkerExecutor({
    definition: reinforcementLearning,
    spawn,
    workers,
    onNotice,
    silenceMs: SILENCE_MS,
  });
  const run = buildRun(manifest, executor, (event) => events.push(event));
  return { run, executor, threads, notices, events };
}

const PENDULUM = { workload: "rl", environment: "Pendulum-v1", replay: null, written: [] };

/** The first generation's turns of two new members. */
function pendulumTurns(): MemberTurn[] {
  const { members } = buildRun(tinyPpo({ pop_size: 2 }), inThread()).state;
  const turn = { generation: 1, seed: 7, num_envs: 4, evo_steps: 192, eval_loop: 1, eval_steps: null };
  return members.map((agent, slot) => ({ agent, turn: { slot, ...turn, off_policy: null } }));
}

describe("WorkerExecutor", () => {
  afterEach(() => void vi.useRealTimers());

  it("uses no more workers than there are members, and says how many", async () => {
    const { run, executor, threads } = fakeRun(tinyPpo({ pop_size: 2, max_steps: 192 }), [], 5);
    await run.train();
    expect(threads).toHaveLength(2);
    expect(executor.label).toBe("WASM SIMD, 2 workers");
    await executor.close();
    expect(threads.every(({ terminated }) => terminated)).toBe(true);
  });

  it("tells when and in which worker each member trained", async () => {
    const { run, executor, events } = fakeRun(tinyPpo({ pop_size: 3, max_steps: 288 }), []);
    await run.train();
    await executor.close();
    const members = events.flatMap((event) => (event.event === "generation" ? event.members : []));
    expect(new Set(members.map(({ worker }) => worker))).toEqual(new Set([0, 1]));
    for (const { started } of members) expect(started).toBeGreaterThanOrEqual(0);
    // One of three members waits until a worker is free.
    expect(Math.max(...members.map(({ started = 0 }) => started))).toBeGreaterThan(0);
  });

  it.each(["die", "fail"] as const)(
    "returns lent workers for reuse, except one that did this: %s",
    async (misfortune) => {
      const { spawn, threads } = fakeSpawn(misfortune);
      const released: number[] = [];
      const lent: Spawn = (events) => {
        const thread = spawn(events);
        const at = threads.length - 1;
        return Object.assign(thread, { release: () => released.push(at) });
      };
      const executor = new WorkerExecutor({ definition: reinforcementLearning, spawn: lent, workers: 1 });
      await buildRun(tinyPpo({ pop_size: 2, max_steps: 192 }), executor).train();
      await executor.close();
      expect(threads.map(({ terminated }) => terminated)).toEqual([true, false]);
      expect(released).toEqual([1]);
    },
  );

  it("changes the number of workers between generations, with the same bits", async () => {
    const expected = await trainWith(inThread(), tinyDqn());
    const { spawn, threads } = fakeSpawn();
    const executor = new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 1 });
    const alive: number[] = [];
    const run = buildRun(tinyDqn(), executor, (event) => {
      if (event.event !== "generation") return;
      alive.push(threads.filter(({ terminated }) => !terminated).length);
      executor.setWorkers([3, 1, 2][event.generation - 1] ?? 1);
    });
    await run.train();
    expect(alive).toEqual([1, 3, 1, 2]);
    expect(run.state).toEqual(expected);
    await executor.close();
  });

  it("passes on the training episodes of members, with their slices and results", async () => {
    const { members } = buildRun(tinyPpo({ pop_size: 2 }), inThread()).state;
    const setup = { ...PENDULUM, environment: "Acrobot-v1" };
    const turn = { generation: 1, seed: 7, num_envs: 4, evo_steps: 8000, eval_loop: 1, eval_steps: 5 };
    const agent = agentOf(
      { name: "PPO", learn_step: 2000 },
      { observation_space: new Box({ low: -1, high: 1, shape: [6] }), action_space: new Discrete(3) },
    );
    const { spawn } = fakeSpawn();
    const executor = new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 2 });
    await executor.open(setup);
    const sliced: (readonly [number, number])[][] = [[], []];
    const outcomes = await executor.generation(
      members.map((_, slot) => ({ agent, turn: { slot, ...turn, off_policy: null, tells_episodes: true } })),
      [],
      ({ slot = 0, episodes = [] }) => void sliced[slot]?.push(...episodes),
    );
    await executor.close();
    for (const [slot, outcome] of outcomes.entries()) {
      const training = outcome.ok ? (outcome.result.training ?? []) : [];
      // Each lane has ended four episodes of 500 steps, or shorter ones.
      expect(training.length).toBeGreaterThanOrEqual(12);
      expect(sliced[slot]).toEqual(training);
    }
  });

  it("refuses a number of workers that is none", () => {
    const { spawn } = fakeSpawn();
    expect(() => new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 0 })).toThrow(
      "workers: found 0",
    );
    expect(() => new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 1.5 })).toThrow(
      RangeError,
    );
  });

  it.each<Misfortune>(["die", "fail", "hang"])(
    "trains a member again in a fresh worker, with the same bits: %s",
    async (misfortune) => {
      const expected = await trainWith(inThread(), tinyDqn());
      holdSilence();
      const { run, executor, threads, notices } = fakeRun(tinyDqn(), ["none", misfortune]);
      const training = run.train();
      if (misfortune === "hang") {
        // Waits until the other worker has trained the rest of the generation.
        const trained = () =>
          threads.flatMap(({ received }) => received).filter(({ type }) => type === "turn").length;
        const waiting = () => threads.reduce((sum, { unanswered }) => sum + unanswered.size, 0);
        while (trained() < run.state.members.length || waiting() > 1) await yieldToEvents();
        passSilence();
      }
      await training;
      expect(run.state).toEqual(expected);
      expect(threads).toHaveLength(3);
      expect(notices).toHaveLength(1);
      expect(notices[0]).toMatch(/^The compute worker of member \d was lost \(.+\); .+ fresh worker\.$/);
      await executor.close();
    },
  );

  it("takes back the progress of a turn that is run again", async () => {
    const { spawn } = fakeSpawn("die");
    const executor = new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 1 });
    await executor.open(PENDULUM);
    let steps = 0;
    const outcomes = await executor.generation(pendulumTurns(), [], (slice) => {
      steps += slice.env_steps;
    });
    expect(outcomes.map((o) => (o.ok ? o.result.env_steps : 0))).toEqual([192, 192]);
    expect(steps).toBe(2 * 192);
    await executor.close();
  });

  it("takes a member for failed when its worker is lost twice, and selection goes on without it", async () => {
    const { run, executor, events } = fakeRun(tinyPpo(), ["die", "die"], 1);
    await run.train();
    const [first] = events.filter((event) => event.event === "generation");
    expect(first?.fitnesses[0]).toBeNaN();
    expect(first?.fitnesses.slice(1).every(Number.isFinite)).toBe(true);
    const warning = events.find((event) => event.event === "warning");
    expect(warning?.message).toMatch(/^member 0 could not be trained: out of memory \(tried 2 times/);
    await executor.close();
  });

  it("replaces a worker that is lost between turns, which is no attempt of any member", async () => {
    // Its successor dies during work. That is the first of two attempts only if the idle death does not
    // count.
    const { spawn, threads } = fakeSpawn("none", "die");
    const notices: string[] = [];
    const onNotice = (message: string) => notices.push(message);
    const executor = new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 1, onNotice });
    await executor.open(PENDULUM);
    threads[0]?.perish();
    const outcomes = await executor.generation(pendulumTurns(), [], () => undefined);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    threads[2]?.perish();
    expect((await executor.generation(pendulumTurns(), [], () => undefined)).map(({ ok }) => ok)).toEqual([
      true,
      true,
    ]);
    expect(notices).toEqual([
      "A compute worker was lost between turns (killed by the system); a fresh one takes its place.",
      expect.stringMatching(/^The compute worker of member 0 was lost \(out of memory\)/),
      "A compute worker was lost between turns (killed by the system); a fresh one takes its place.",
    ]);
    await executor.close();
  });

  it("tries a member whose numbers diverged only once", async () => {
    const { run, executor, threads, notices, events } = fakeRun(tinyPpo({ max_steps: 192 }), ["diverge"], 1);
    const error = await run.train().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DivergedError);
    expect(error).toMatchObject({ slot: 0, message: "member 0: a weight is not a finite number" });
    expect([threads.length, notices.length]).toEqual([1, 0]);
    expect(events.some((event) => event.event === "generation")).toBe(false);
    await executor.close();
  });

  it("says why no worker can be started", async () => {
    const { run } = fakeRun(tinyPpo(), ["die at start", "die at start"]);
    await expect(run.train()).rejects.toThrow(
      "no compute worker could be started: the script could not be loaded",
    );
    const executor = new WorkerExecutor({
      definition: reinforcementLearning,
      spawn: spawnWorker,
      workers: 1,
    });
    const setup = { workload: "rl", environment: "CartPole-v9", replay: null, written: [] };
    await expect(executor.open(setup)).rejects.toThrow('did you mean "CartPole-v1"?');
  });

  it("goes on with those that start", async () => {
    const expected = await trainWith(inThread(), tinyPpo());
    const { run, executor, notices } = fakeRun(tinyPpo(), ["die at start"]);
    await run.train();
    expect(run.state).toEqual(expected);
    expect(notices).toHaveLength(1);
    await executor.close();
  });

  it("holds work until it is resumed", async () => {
    holdSilence();
    const { run, executor, events, threads } = fakeRun(tinyDqn(), []);
    run.pause();
    const training = run.train();
    while (!threads.some(({ received }) => received.some(({ type }) => type === "turn")))
      await yieldToEvents();
    // A turn takes far fewer iterations.
    for (let turns = 0; turns < 1000; turns++) await yieldToEvents();
    passSilence();
    expect(threads).toHaveLength(2);
    expect(events.filter((event) => event.event === "generation")).toEqual([]);
    run.resume();
    expect((await training).reason).toBe("max_steps");
    expect(run.state).toEqual(await trainWith(inThread(), tinyDqn()));
    await executor.close();
  });

  it("stops at the last boundary", async () => {
    const { run, executor, events } = fakeRun(tinyDqn({ max_steps: 1_000_000 }), []);
    const training = run.train();
    while (!events.some((event) => event.event === "generation")) await yieldToEvents();
    run.stop();
    expect((await training).reason).toBe("stopped");
    expect(run.state.generation).toBe(events.filter((event) => event.event === "generation").length);
    await executor.close();
  });

  it("ends a generation that is aborted, and can be opened again", async () => {
    const expected = inThread();
    await expected.open(PENDULUM);
    const executor = new WorkerExecutor({
      definition: reinforcementLearning,
      spawn: fakeSpawn().spawn,
      workers: 2,
    });
    const gate = new Gate();
    await executor.open(PENDULUM, gate);
    const aborted = executor.generation(pendulumTurns(), [], () => gate.abort());
    await expect(aborted).rejects.toBeInstanceOf(StoppedError);
    await executor.open(PENDULUM);
    const nothing = () => undefined;
    const outcomes = await executor.generation(pendulumTurns(), [], nothing);
    const again = await expected.generation(pendulumTurns(), [], nothing);
    expect(timeless(outcomes)).toEqual(timeless(again));
    await executor.close();
  });

  it("tells the compiled programs of all workers as one list", async () => {
    const { run, executor, threads } = fakeRun(tinyPpo({ pop_size: 3, max_steps: 192 }), [], 2);
    await run.train();
    const programs = new Map((await executor.kernels()).map((report) => [report.name, report]));
    expect(threads).toHaveLength(2);
    // A rollout has 64 steps, so each of three members collects three.
    expect(programs.get("PPO.iteration")).toMatchObject({ copies: 2, members: [0, 1, 2], runs: 9 });
    expect(programs.get("Pendulum-v1.reset")).toMatchObject({ copies: 2, structures: [], runs: 3 });
    await executor.close();
    expect(await executor.kernels()).toEqual([]);
  });

  it("does not wait for the programs of a worker that is lost", async () => {
    const { executor, threads } = fakeRun(tinyPpo({ pop_size: 2 }), ["hang", "hang"]);
    await executor.open(PENDULUM);
    const asked = executor.kernels();
    await executor.close();
    expect(await asked).toEqual([]);
    expect(threads.every(({ terminated }) => terminated)).toBe(true);
  });

  it("rejects what is under way when it is closed", async () => {
    const { spawn, threads } = fakeSpawn("hang", "hang");
    const executor = new WorkerExecutor({ definition: reinforcementLearning, spawn, workers: 2 });
    await executor.open(PENDULUM);
    const hanging = executor.generation(pendulumTurns(), [], () => undefined);
    await yieldToEvents();
    await executor.close();
    await expect(hanging).rejects.toBeInstanceOf(StoppedError);
    expect(threads.map(({ terminated }) => terminated)).toEqual([true, true]);
    await expect(executor.generation([], [], () => undefined)).rejects.toThrow("before open()");
  });
});
