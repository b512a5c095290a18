import "../datasets/files/included.ts";
import "../kernels/onnx/included.ts";
import { findAdapter } from "../kernels/webgpu.ts";
import { provideSandboxes } from "../sandbox/sandboxes.ts";
import { onDevice } from "../training/executors.ts";
import { createCoordinator } from "./coordinator.ts";
import type { PageSandboxes } from "./environments/PageSandboxes.ts";
import type { BrowserStores } from "./openBrowserStores.ts";
import type { Coordinator } from "./protocol.ts";
import { browserSpawner } from "./spawn/browser.ts";
import { shareRuns } from "./tabs/shareRuns.ts";
import { broadcastChannel } from "./tabs/TabChannel.ts";
import { WorkerExecutor } from "./workerExecutor.ts";

/** Starts the coordinator of a browser on its stores. Its calls also answer for runs that are live in another tab. */
export function startCoordinator(
  stores: BrowserStores,
  sandboxes: PageSandboxes,
): Omit<Coordinator, "lendSandboxes"> {
  const spawn = browserSpawner(() => sandboxes.open());
  provideSandboxes(sandboxes.openSandbox);
  const coordinator = createCoordinator({
    ...stores,
    makeExecutor: ({ definition, modules, device, workers, onNotice }) => {
      const wasm = new WorkerExecutor({ definition, modules, spawn, workers, onNotice });
      return onDevice(definition, device, wasm, onNotice);
    },
    requireGpu: findAdapter,
    cores: navigator.hardwareConcurrency,
  });
  // Starts early; an error is reported to the first call that asks for runs.
  coordinator.recover().catch(() => undefined);
  // Without shared storage, each tab has its own runs.
  const isAlone = stores.files.kind === "memory";
  return isAlone ? coordinator : { ...coordinator, ...shareRuns(coordinator, broadcastChannel()).calls };
}
