/**
 * Creates the executor for a device and an accelerator: a GPU, this thread, or workers if a worker pool was
 * provided.
 */
import type { Executor } from "../loop/executor.ts";
import type { Kinds } from "../loop/Workload.ts";
import type { AskedDevice, WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import type { Accelerator } from "./Accelerator.ts";
import { InThreadExecutor } from "./SerialExecutor.ts";

/** The options of a worker pool. */
interface PoolRequest<K extends Kinds = Kinds> {
  readonly definition: WorkloadDefinition<K>;
  readonly workers: number;
  /** Absolute URLs of modules that every worker imports first. */
  readonly modules: readonly string[];
  /** Called with messages for the user, such as that a worker was lost. */
  readonly onNotice: (message: string) => void;
}

type MakePool = <K extends Kinds>(request: PoolRequest<K>) => Executor<K>;

let makePool: MakePool | null = null;

/** Called by the workers module, which the training module must not import. */
export function provideWorkerPool(make: MakePool): void {
  makePool = make;
}

interface ExecutorChoice<K extends Kinds = Kinds> {
  readonly definition: WorkloadDefinition<K>;
  readonly device: AskedDevice;
  readonly accelerator: Accelerator | null;
  /** Called with messages for the user. */
  readonly onNotice: (message: string) => void;
}

/** @throws RangeError for a device that the workload does not train on. */
export function makeExecutor<K extends Kinds>(choice: ExecutorChoice<K>): Executor<K> {
  const { definition, device, accelerator, onNotice } = choice;
  const wasm = wasmExecutor(definition, accelerator, onNotice);
  return onDevice(definition, device, wasm, onNotice);
}

/**
 * The executor of a run that `workers` train on wasm unless the device is a GPU.
 * @throws RangeError for a device that the workload does not train on.
 */
export function onDevice<K extends Kinds>(
  definition: WorkloadDefinition<K>,
  device: AskedDevice,
  workers: Executor<K>,
  onNotice: (message: string) => void,
): Executor<K> {
  const wasm = definition.onWasm?.(workers, onNotice) ?? workers;
  if (device === "wasm") return wasm;
  if (definition.executor) return definition.executor({ device, wasm, onNotice });
  if (device === "auto") return wasm;
  throw new RangeError(`device: found "${device}", and ${definition.name} trains on "wasm"`);
}

function wasmExecutor<K extends Kinds>(
  definition: WorkloadDefinition<K>,
  accelerator: Accelerator | null,
  onNotice: PoolRequest["onNotice"],
): Executor<K> {
  if (!accelerator || accelerator.workers === 1)
    return new InThreadExecutor<K>((setup) => definition.turnRunner(setup));
  if (!makePool)
    throw new Error(
      'accelerator.workers above 1 needs the worker pool: import "rlkit" or "rlkit/workers" first',
    );
  return makePool({ definition, workers: accelerator.workers, modules: accelerator.modules, onNotice });
}
