/**
 * Threads of a worker that crash or run out of memory: their process survives, and the run too if possible.
 */
import threads, { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { withSupervisor } from "./support/supervisor.ts";
import { TrainedRuns, warningsIn } from "./support/TrainedRuns.ts";

let runs: TrainedRuns;

beforeAll(async () => {
  runs = await TrainedRuns.start();
});

afterEach(() => void process.removeAllListeners("worker"));

afterAll(async () => {
  await runs?.platform.close();
});

/** Terminates a thread during a turn, like a thread that runs out of memory. */
const crash = (thread: Worker): void => void thread.once("message", () => void thread.terminate());

it("a thread that crashes is followed by another, and the run ends as if nothing had happened", async () => {
  process.once("worker", crash);
  await withSupervisor(runs.platform, async () => {
    const run = await runs.submit();
    const events = await runs.watched(run);
    await runs.assertWhole(run, events);
    expect(warningsIn(events).filter((message) => message.includes("was lost"))).toHaveLength(1);
  });
});

it("a run whose threads all crash fails with a sentence, and the worker takes the next one", async () => {
  process.on("worker", crash);
  await withSupervisor(runs.platform, async () => {
    const run = await runs.submit();
    const failed = (await runs.watched(run)).at(-1);
    expect(failed).toMatchObject({ event: "state", data: { state: "failed" } });
    expect(failed?.data.reason).toMatch(/^Generation 1 failed: .*(could not be trained|could be started)/);
    process.removeAllListeners("worker");
    const next = await runs.submit();
    await runs.assertWhole(next, await runs.watched(next));
  });
});

/** A thread with so little memory that it runs out while loading. */
class SmallWorker extends Worker {
  constructor(address: string | URL, options: object = {}) {
    super(address, {
      ...options,
      resourceLimits: { maxOldGenerationSizeMb: 4, maxYoungGenerationSizeMb: 2 },
    });
  }
}

it("a run whose threads are out of memory fails and says so, and the worker takes the next one", async () => {
  await withSupervisor(runs.platform, async () => {
    Object.assign(threads, { Worker: SmallWorker });
    try {
      const run = await runs.submit();
      const failed = (await runs.watched(run)).at(-1);
      expect(failed).toMatchObject({ event: "state", data: { state: "failed" } });
      expect(failed?.data.reason).toMatch(/^Generation 1 failed: .*out of memory/);
    } finally {
      Object.assign(threads, { Worker });
    }
    const next = await runs.submit();
    await runs.assertWhole(next, await runs.watched(next));
  });
});
