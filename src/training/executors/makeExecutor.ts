/** The executor for a device and an accelerator: a GPU, this thread, or workers when a worker pool was brought in. */
import { findAdapter, openGpu } from "../../kernels/wgsl/openGpu.ts";
import type { Executor } from "../loop/executor.ts";
import type { Accelerator } from "./Accelerator.ts";
import { AutoExecutor } from "./AutoExecutor.ts";
import type { AskedDevice } from "./device.ts";
import { GpuExecutor } from "./GpuExecutor.ts";
import { InThreadExecutor } from "./InThreadExecutor.ts";

/** @param onNotice Told what the user should know, such as of a worker that was lost. */
type MakePool = (workers: number, onNotice: (message: string) => void) => Executor;

let makePool: MakePool | null = null;

/** Called by the workers' module, which training must not import. */
export function provideWorkerPool(make: MakePool): void {
  makePool = make;
}

export interface ExecutorChoice {
  readonly device: AskedDevice;
  readonly accelerator: Accelerator | null;
  /** Told what the user should know. */
  readonly onNotice: (message: string) => void;
}

export function makeExecutor({ device, accelerator, onNotice }: ExecutorChoice): Executor {
  if (device === "webgpu") return new GpuExecutor({ open: openGpu, onNotice });
  const wasm = wasmExecutor(accelerator, onNotice);
  return device === "auto" ? new AutoExecutor({ findAdapter, wasm, onNotice }) : wasm;
}

function wasmExecutor(accelerator: Accelerator | null, onNotice: ExecutorChoice["onNotice"]): Executor {
  if (!accelerator || accelerator.workers === 1) return new InThreadExecutor();
  if (!makePool)
    throw new Error(
      'accelerator.workers above 1 needs the worker pool: import "rlkit" or "rlkit/workers" first',
    );
  return makePool(accelerator.workers, onNotice);
}
