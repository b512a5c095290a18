/** The GPU of a workload, as device "auto" weighs it against WebAssembly. */
import type { Executor, MemberTurn } from "../loop/executor.ts";
import type { Kinds } from "../loop/Workload.ts";

/** What is weighed: the members of a run's first generation. */
export interface Contest<K extends Kinds> {
  readonly adapter: GPUAdapter;
  readonly setup: K["setup"];
  readonly turns: readonly MemberTurn<K>[];
  readonly wasm: Executor<K>;
  /** Does the work of measuring an executor, which an abort reaches meanwhile. @throws StoppedError after an abort. */
  readonly measure: <T>(executor: Executor<K>, work: () => Promise<T>) => Promise<T>;
}

export interface Winner<K extends Kinds> {
  /** What trains on the GPU, to be opened; null where WebAssembly is faster. */
  readonly gpu: Executor<K> | null;
  /** Why, as the end of a sentence. */
  readonly reason: string;
}

export interface GpuContender<K extends Kinds> {
  /** What trains on the GPU, to be opened. @throws Error that says why it cannot. */
  executorOn(adapter: GPUAdapter): Promise<Executor<K>>;
  /** Lets both train the members for a moment. @throws Error that says why the GPU cannot. */
  compare(contest: Contest<K>): Promise<Winner<K>>;
}
