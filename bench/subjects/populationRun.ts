/** Trains a population as the trainers do, with a callback at every generation boundary. */

import { parseManifest, type TrainingManifestInput } from "../../src/manifests/index.ts";
import type { GenerationReport, TrainingObserver } from "../../src/tracking/observer.ts";
import { makeExecutor } from "../../src/training/executors.ts";
import { TrainingRun } from "../../src/training/loop.ts";
import { environmentOf, initialMembers, initialState } from "../../src/training/plan.ts";
import { type Executor, type RunState, reinforcementLearning } from "../../src/training/workloads.ts";
import { WorkerExecutor } from "../../src/workers/computing.ts";

export interface PopulationRunOptions {
  readonly seed: number;
  /** Number of compute workers; 0 trains in this thread. */
  readonly workers: number;
  /** State to continue from. Default: new agents. */
  readonly from?: RunState;
  /** Executor of the turns. Default: workers. */
  readonly executor?: Executor;
  /** Observer of the run's events. Default: none. */
  readonly observer?: TrainingObserver;
  /** Called at each generation's end, with the run's time so far. Return true to end the run. */
  readonly atBoundary: (boundary: {
    readonly state: RunState;
    readonly report: GenerationReport;
    /** Seconds since the executor was ready, without those spent in this function. */
    readonly seconds: number;
  }) => boolean | Promise<boolean>;
}

/** Wraps an executor and records when it was ready. */
async function timedExecutor(
  workers: number,
  given: Executor | undefined,
): Promise<{ executor: Executor; readyAt: () => number }> {
  const own = async (): Promise<Executor> => {
    if (workers === 0)
      return makeExecutor({
        definition: reinforcementLearning,
        device: "wasm",
        accelerator: null,
        onNotice: () => undefined,
      });
    // Imported lazily: importers of this file may not have built the library yet.
    const { spawnBuiltWorker } = await import("./builtWorkers.ts");
    return new WorkerExecutor({ definition: reinforcementLearning, spawn: spawnBuiltWorker, workers });
  };
  const executor = given ?? (await own());
  let ready = 0;
  const open = executor.open.bind(executor);
  executor.open = async (setup) => {
    await open(setup);
    ready = performance.now();
  };
  return { executor, readyAt: () => ready };
}

export async function runPopulation(
  input: TrainingManifestInput,
  { seed, workers, from, executor: given, observer, atBoundary }: PopulationRunOptions,
): Promise<void> {
  const manifest = parseManifest(input);
  const environment = environmentOf(manifest);
  const { executor, readyAt } = await timedExecutor(workers, given);
  let watching = 0;
  const run = new TrainingRun(
    from ?? initialState(manifest, initialMembers(manifest, environment, seed), environment),
    {
      ...reinforcementLearning.runs.prepare(manifest, seed),
      executor,
      observer: observer ?? { on: () => {} },
      atBoundary: async (state, report) => {
        const now = performance.now();
        const seconds = (now - readyAt() - watching) / 1000;
        if (await atBoundary({ state, report, seconds })) run.stop();
        watching += performance.now() - now;
      },
    },
  );
  try {
    await run.train();
  } finally {
    await executor.close();
  }
}

/** Environment steps per second of the whole population. The time includes evaluation and evolution. */
export async function stepsPerSecond(
  manifest: TrainingManifestInput,
  seed: number,
  {
    skip,
    generations,
    executor,
    observer,
  }: Pick<PopulationRunOptions, "executor" | "observer"> & {
    readonly skip: number;
    readonly generations: number;
  },
): Promise<number> {
  let start = { seconds: 0, steps: 0 };
  let rate = Number.NaN;
  await runPopulation(manifest, {
    seed,
    workers: 2,
    ...(executor ? { executor } : {}),
    ...(observer ? { observer } : {}),
    atBoundary: ({ report, seconds }) => {
      if (report.generation === skip) start = { seconds, steps: report.global_step };
      if (report.generation < skip + generations) return false;
      rate = (report.global_step - start.steps) / (seconds - start.seconds);
      return true;
    },
  });
  return rate;
}
