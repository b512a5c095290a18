/** The GPU executor of a workload, which device "auto" compares with WebAssembly. */
import type { Executor, MemberTurn } from "../loop/executor.ts";
import type { Kinds } from "../loop/Workload.ts";

/** Input of a comparison: the members of a run's first generation. */
export interface Contest<K extends Kinds> {
  readonly adapter: GPUAdapter;
  readonly setup: K["setup"];
  readonly turns: readonly MemberTurn<K>[];
  readonly wasm: Executor<K>;
  /**
   * Runs the measurement of an executor; an abort during it reaches that executor.
   * @throws StoppedError after an abort.
   */
  readonly measure: <T>(executor: Executor<K>, work: () => Promise<T>) => Promise<T>;
}

export interface Winner<K extends Kinds> {
  /** The GPU executor, not opened yet; `null` if WebAssembly is faster. */
  readonly gpu: Executor<K> | null;
  /** The reason, as the end of a sentence. */
  readonly reason: string;
}

export interface GpuContender<K extends Kinds> {
  /** Creates the GPU executor, not opened yet. @throws Error with the reason that it cannot train. */
  executorOn(adapter: GPUAdapter): Promise<Executor<K>>;
  /**
   * Measures both executors on the members for a short time.
   * @throws Error with the reason that the GPU cannot train them.
   */
  compare(contest: Contest<K>): Promise<Winner<K>>;
}
