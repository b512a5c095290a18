import { parseManifest } from "../../../src/manifests/index.ts";
import type { TrainingEvent } from "../../../src/tracking/observer.ts";
import { TrainingRun } from "../../../src/training/loop.ts";
import { environmentOf, initialMembers, initialState } from "../../../src/training/plan.ts";
import {
  type Executor,
  type RlKinds,
  type RunState,
  reinforcementLearning,
} from "../../../src/training/workloads.ts";

export const SEED = 7;

/**
 * Creates a run of a manifest in an executor, without starting it.
 * @param from The state that it goes on from (default: its first).
 */
export function buildRun(
  input: object,
  executor: Executor,
  on: (event: TrainingEvent) => void = () => undefined,
  from: RunState | null = null,
): TrainingRun<RlKinds> {
  const manifest = parseManifest({ ...input });
  const env = environmentOf(manifest);
  const state = from ?? initialState(manifest, initialMembers(manifest, env, SEED), env);
  return new TrainingRun(state, {
    ...reinforcementLearning.runs.prepare(manifest, SEED),
    executor,
    observer: { on },
  });
}

/** Trains to the end and returns the last state. */
export async function trainWith(executor: Executor, input: object): Promise<RunState> {
  const run = buildRun(input, executor);
  try {
    await run.train();
    return run.state;
  } finally {
    await executor.close();
  }
}
