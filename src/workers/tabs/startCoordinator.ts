import "../../datasets/files/included.ts";
import "../../kernels/onnx/included.ts";
import { findAdapter } from "../../kernels/webgpu.ts";
import type { LentPorts } from "../../sandbox/browser.ts";
import { provideSandboxes } from "../../sandbox/sandboxes.ts";
import { onDevice } from "../../training/executors.ts";
import type { PageSandboxes } from "../compute/PageSandboxes.ts";
import { browserSpawner } from "../compute/spawn/browserSpawner.ts";
import { WorkerExecutor } from "../compute/workerExecutor.ts";
import { createCoordinator } from "../coordinator/createCoordinator.ts";
import type { BrowserStores } from "../files/browserStores.ts";
import type { Coordinator } from "../protocol/calls.ts";
import type { Spawn } from "../protocol/compute.ts";
import type { MakeExecutor } from "../runs/activeRun.ts";
import { SpareWorker } from "./SpareWorker.ts";
import { shareRuns } from "./shareRuns.ts";
import { broadcastChannel } from "./TabChannel.ts";

/** Starts the coordinator of a browser on its stores. Its calls also answer for runs that are live in another tab. */
export function startCoordinator(
  stores: BrowserStores,
  sandboxes: PageSandboxes,
): Omit<Coordinator, "lendSandboxes"> {
  const spare = new SpareWorker(
    () =>
      new Worker(new URL("./compute.worker.ts", import.meta.url), { type: "module", name: "rlkit-compute" }),
  );
  const open = (): Promise<LentPorts> => sandboxes.open();
  const start = (): Worker => spare.take();
  /** Only rehearsals return their workers: terminating a run's frees its memory at once. */
  const spawners = {
    runs: browserSpawner(open, start),
    rehearsals: browserSpawner(open, start, (worker) => spare.keep(worker)),
  };
  const executors =
    (spawn: Spawn): MakeExecutor =>
    ({ definition, modules, device, workers, onNotice }) => {
      const wasm = new WorkerExecutor({ definition, modules, spawn, workers, onNotice });
      return onDevice(definition, device, wasm, onNotice);
    };
  provideSandboxes(sandboxes.openSandbox);
  const coordinator = createCoordinator({
    ...stores,
    makeExecutor: executors(spawners.runs),
    makeRehearsal: executors(spawners.rehearsals),
    prepareWorker: () => void spare.prepare(),
    requireGpu: findAdapter,
    cores: navigator.hardwareConcurrency,
  });
  // Starts early; an error is reported to the first call that asks for runs.
  coordinator.recover().catch(() => undefined);
  // Without shared storage, each tab has its own runs.
  const isAlone = stores.files.kind === "memory";
  return isAlone ? coordinator : { ...coordinator, ...shareRuns(coordinator, broadcastChannel()).calls };
}
