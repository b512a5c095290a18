import type { TrainingManifest } from "../../manifests/index.ts";
import { stepsPerSecond } from "../../training/executors.ts";
import { type Executor, Gate, StoppedError } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import { type RlKinds, reinforcementLearning } from "../../training/workloads.ts";
import type { MakeExecutor } from "../runs/activeRun.ts";

export interface CalibrationParts {
  readonly makeExecutor: MakeExecutor;
  /** Absolute URLs of modules that the worker imports first. */
  readonly modules: readonly string[];
  /** Ends the calibration without a result. */
  readonly signal: AbortSignal;
  /** Milliseconds of training to measure (default: 200). */
  readonly measured_ms?: number | undefined;
}

/** Default duration of a measurement, ms. */
const MEASURED = 200;

/**
 * Environment steps per second of one member on one thread of this machine, measured by training it for a
 * moment. Null for language models, whose parts would have to be loaded first, for learning without an
 * environment, and after an abort.
 * @throws Error when the member cannot be trained
 */
export async function calibrate(
  manifest: TrainingManifest,
  { makeExecutor, modules, signal, measured_ms = MEASURED }: CalibrationParts,
): Promise<number | null> {
  // What came before may have taken long.
  if (signal.aborted) return null;
  const definition = workloadOf(manifest);
  if (definition.name !== reinforcementLearning.name) return null;
  const { runs } = reinforcementLearning;
  // One member has nothing to be selected from.
  const alone = { ...manifest.training, pop_size: 1, hpo: false };
  const one = { ...manifest, training: alone, selection_strategy: null };
  const state = runs.firstState(one, 0);
  const { workload } = runs.prepare(one, 0, 1);
  // As in a run here, whose programs are then compiled.
  const told = { tells_episodes: true } as const;
  const turns = state.members.map((agent, slot) => ({
    agent,
    turn: { ...workload.turn(agent, slot, state, 1), ...told },
  }));
  const executor = makeExecutor({
    definition,
    modules,
    device: "wasm",
    workers: 1,
    onNotice: () => undefined,
  });
  const gate = new Gate();
  const end = (): void => {
    gate.abort();
    // A worker that is still starting does not receive an abort.
    void executor.close();
  };
  signal.addEventListener("abort", end);
  try {
    // `makeExecutor` was called with this workload's definition.
    const own = executor as Executor<RlKinds>;
    const rate = await stepsPerSecond(own, workload.setup(state), turns, gate, measured_ms);
    return signal.aborted || rate === 0 ? null : rate;
  } catch (error) {
    if (signal.aborted || error instanceof StoppedError) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
