/** The executor for an accelerator: this thread, or workers when a worker pool was brought in. */
import type { Accelerator } from "./Accelerator.ts";
import type { Executor } from "./executor.ts";
import { InThreadExecutor } from "./inThreadExecutor.ts";

type MakePool = (workers: number) => Executor;

let makePool: MakePool | null = null;

/** Called by the workers' module, which training must not import. */
export function provideWorkerPool(make: MakePool): void {
  makePool = make;
}

export function makeExecutor(accelerator: Accelerator | null): Executor {
  if (!accelerator || accelerator.workers === 1) return new InThreadExecutor();
  if (!makePool)
    throw new Error(
      'accelerator.workers above 1 needs the worker pool: import "rlkit" or "rlkit/workers" first',
    );
  return makePool(accelerator.workers);
}
