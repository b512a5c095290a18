/** What an executor and its compute workers say to each other, over the worker's own port. All plain data. */
import type { KernelReport } from "../kernels/kernelReport.ts";
import type { MemberTurn, TurnOutcome } from "../training/loop/executor.ts";
import type { Setup, Slice } from "../training/loop/Workload.ts";

export type ToCompute =
  /** Loads the modules, and forgets the run before. Answered by "ready" or "failed". */
  | { readonly type: "open"; readonly setup: Setup; readonly modules: readonly string[] }
  /** Answered by "heard". */
  | { readonly type: "news"; readonly news: readonly unknown[] }
  /** Ids rise. Answered by "slice" any number of times, then by "done" or "stopped". */
  | { readonly type: "turn"; readonly id: number; readonly turn: MemberTurn }
  | { readonly type: "pause" }
  | { readonly type: "resume" }
  /** Answered at once by "kernels", also amid a turn or while held. */
  | { readonly type: "kernels" }
  /** Ends all turns sent so far. */
  | { readonly type: "abort" };

export type FromCompute =
  | { readonly type: "ready" }
  | { readonly type: "heard" }
  | { readonly type: "slice"; readonly id: number; readonly slice: Slice }
  | { readonly type: "done"; readonly id: number; readonly outcome: TurnOutcome }
  | { readonly type: "stopped"; readonly id: number }
  | { readonly type: "kernels"; readonly reports: readonly KernelReport[] }
  /** The worker is of no use any more. */
  | { readonly type: "failed"; readonly message: string };

/** What becomes of a compute worker's messages and of its end. */
export interface ThreadEvents {
  readonly message: (message: FromCompute) => void;
  /** The worker is gone, or cannot be understood; said in plain words. */
  readonly failed: (message: string) => void;
}

/** A worker as an executor holds it. */
export interface ComputeThread {
  post(message: ToCompute): void;
  /** Ends it at once; nothing is heard of it afterwards. */
  terminate(): void;
}

/** Starts a compute worker: the one seam between browsers and Node. */
export type Spawn = (events: ThreadEvents) => ComputeThread;

/** The other end: what a compute worker speaks through. */
export interface ComputePort {
  post(message: FromCompute, transfer: ArrayBuffer[]): void;
  listen(handler: (message: ToCompute) => void): void;
}
