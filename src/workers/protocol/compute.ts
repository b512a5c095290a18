/** Messages between an executor and its compute workers, over the worker's own port. All are plain data. */
import type { KernelReport } from "../../kernels/devices.ts";
import type { MemberTurn, Setup, Slice, TurnOutcome } from "../../training/loop.ts";

export type ToCompute =
  /** Loads the modules and replaces the previous run, with a gate that is open. Answered by "ready" or "failed". */
  | { readonly type: "open"; readonly setup: Setup; readonly modules: readonly string[] }
  /** Answered by "heard". */
  | { readonly type: "news"; readonly news: readonly unknown[] }
  /** Ids increase. Answered by "slice" any number of times, then by "done" or "stopped". */
  | { readonly type: "turn"; readonly id: number; readonly turn: MemberTurn }
  | { readonly type: "pause" }
  | { readonly type: "resume" }
  /** Answered at once by "kernels", also during a turn or while paused. */
  | { readonly type: "kernels" }
  /** Ends the turns of this run. */
  | { readonly type: "abort" }
  /** Ends the run after the turns sent so far. The worker can open another one. */
  | { readonly type: "close" };

export type FromCompute =
  | { readonly type: "ready" }
  | { readonly type: "heard" }
  | { readonly type: "slice"; readonly id: number; readonly slice: Slice }
  | { readonly type: "done"; readonly id: number; readonly outcome: TurnOutcome }
  | { readonly type: "stopped"; readonly id: number }
  | { readonly type: "kernels"; readonly reports: readonly KernelReport[] }
  /** The worker can no longer be used. */
  | { readonly type: "failed"; readonly message: string };

/** Handlers of a compute worker's messages and of its end. */
export interface ThreadEvents {
  readonly message: (message: FromCompute) => void;
  /** Called with a message when the worker is gone or sent something unreadable. */
  readonly failed: (message: string) => void;
}

/** An executor's handle of a worker. */
export interface ComputeThread {
  post(message: ToCompute): void;
  /** Ends the worker at once; no events follow. */
  terminate(): void;
  /** Ends a run in a worker that another run can use; no events follow. Without it, such workers are terminated. */
  release?(): void;
}

/** Starts a compute worker; browsers and Node have separate implementations. */
export type Spawn = (events: ThreadEvents) => ComputeThread;

/** The worker's end of the port. */
export interface ComputePort {
  post(message: FromCompute, transfer: ArrayBuffer[]): void;
  listen(handler: (message: ToCompute) => void): void;
}

/** The buffers of all typed arrays in plain data, each once, for transfer instead of copying. */
export function transferables(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    if (ArrayBuffer.isView(part)) {
      if (part.buffer instanceof ArrayBuffer) found.add(part.buffer);
      return;
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(value);
  return [...found];
}
