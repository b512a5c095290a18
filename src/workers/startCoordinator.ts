import "../datasets/files/included.ts";
import "../kernels/onnx/included.ts";
import { findAdapter } from "../kernels/webgpu.ts";
import { provideSandboxes } from "../sandbox/sandboxes.ts";
import { onDevice } from "../training/executors.ts";
import { Coordinator } from "./coordinator.ts";
import type { PageSandboxes } from "./environments/PageSandboxes.ts";
import type { BrowserStores } from "./openBrowserStores.ts";
import { browserSpawner } from "./spawn/browser.ts";
import { type SharedRuns, shareRuns } from "./tabs/shareRuns.ts";
import { broadcastChannel } from "./tabs/TabChannel.ts";
import { WorkerExecutor } from "./workerExecutor.ts";

/** A browser's coordinator, and its calls about runs, which may be live in another tab. */
export type StartedCoordinator = Pick<SharedRuns, "calls"> & { readonly coordinator: Coordinator };

/** Starts the coordinator of a browser on its stores. */
export function startCoordinator(stores: BrowserStores, sandboxes: PageSandboxes): StartedCoordinator {
  const spawn = browserSpawner(() => sandboxes.open());
  provideSandboxes(sandboxes.openSandbox);
  const coordinator = new Coordinator({
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
  return { coordinator, calls: isAlone ? coordinator : shareRuns(coordinator, broadcastChannel()).calls };
}
