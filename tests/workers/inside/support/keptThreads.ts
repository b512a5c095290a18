/** Worker threads that a file's runs share, because a new thread needs seconds to load the sources. */
import { afterAll } from "vitest";
import { provideWorkerPool } from "../../../../src/training/executors.ts";
import { type Spawn, WorkerExecutor } from "../../../../src/workers/computing.ts";
import type { ComputeThread, ThreadEvents } from "../../../../src/workers/index.ts";
import { bundled } from "../../../support/compiled.ts";

/** Starts threads that load what this thread loads, users' modules too. */
export { spawnWorker } from "../../../../src/workers/compute/spawn/node.ts";

/** Bundled threads start in a fraction of the time. */
const { spawnWorker: spawnBundled } = (await import(bundled("src/workers/compute/spawn/node.ts"))) as {
  readonly spawnWorker: Spawn;
};

interface Kept {
  readonly thread: ComputeThread;
  /** Event handlers of the thread's current user. */
  events: ThreadEvents | null;
}

/**
 * Starts threads as `spawnNew` does, but reuses them: if a run ends an idle thread, another run gets
 * it. Opening the new run discards the previous one. A thread that was paused, stopped or ended during work
 * is terminated.
 */
function keptThreads(spawnNew: Spawn): { readonly spawn: Spawn; readonly end: () => void } {
  const idle: Kept[] = [];
  const start = (): Kept => {
    const kept: Kept = {
      thread: spawnNew({
        message: (message) => kept.events?.message(message),
        failed: (message) => kept.events?.failed(message),
      }),
      events: null,
    };
    return kept;
  };
  const spawn: Spawn = (events) => {
    const kept = idle.pop() ?? start();
    /** Number of pending answers, and whether the thread may be reused once there are none. */
    let [due, asGood] = [0, true];
    kept.events = {
      message: (message) => {
        if (["ready", "heard", "done", "kernels"].includes(message.type)) due--;
        if (message.type === "failed" || message.type === "stopped") asGood = false;
        events.message(message);
      },
      failed: (message) => {
        asGood = false;
        events.failed(message);
      },
    };
    return {
      post: (message) => {
        if (["open", "news", "turn", "kernels"].includes(message.type)) due++;
        if (message.type === "abort" || message.type === "pause") asGood = false;
        kept.thread.post(message);
      },
      terminate: () => {
        if (!kept.events) return;
        kept.events = null;
        if (asGood && due === 0) idle.push(kept);
        else kept.thread.terminate();
      },
    };
  };
  return {
    spawn,
    end: () => {
      for (const { thread } of idle.splice(0)) thread.terminate();
    },
  };
}

/**
 * Lets the runs of this file share threads, including those of accelerators.
 * @param spawnNew Starts a thread (default: one that loads a bundle, and so shares nothing with modules that it imports).
 */
export function keepThreads(spawnNew: Spawn = spawnBundled): Spawn {
  const { spawn, end } = keptThreads(spawnNew);
  provideWorkerPool((request) => new WorkerExecutor({ ...request, spawn }));
  afterAll(end);
  return spawn;
}
