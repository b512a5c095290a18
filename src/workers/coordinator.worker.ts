/** Entry of the coordinator's worker. */
import { expose, transfer } from "comlink";
import { findAdapter, openGpu } from "../kernels/wgsl/openGpu.ts";
import { AutoExecutor } from "../training/executors/AutoExecutor.ts";
import { GpuExecutor } from "../training/executors/GpuExecutor.ts";
import { Coordinator } from "./coordinator.ts";
import { installErrorTransfer } from "./errorTransfer.ts";
import { openBrowserStores } from "./openBrowserStores.ts";
import type { Coordinator as CoordinatorContract } from "./protocol.ts";
import { spawnBrowserWorker } from "./spawn/browser.ts";
import { transferables } from "./transferables.ts";
import { WorkerExecutor } from "./workerExecutor.ts";

async function start(): Promise<CoordinatorContract> {
  const coordinator = new Coordinator({
    ...(await openBrowserStores()),
    makeExecutor: ({ device, workers, onNotice }) => {
      if (device === "webgpu") return new GpuExecutor({ open: openGpu, onNotice });
      const wasm = new WorkerExecutor({ spawn: spawnBrowserWorker, workers, onNotice });
      return device === "auto" ? new AutoExecutor({ findAdapter, wasm, onNotice }) : wasm;
    },
    requireGpu: findAdapter,
    cores: navigator.hardwareConcurrency,
  });
  // Early, and told to whoever asks for runs first.
  coordinator.recover().catch(() => undefined);
  return coordinator;
}

/** Sends a value's arrays without copying them; they are of no use here any more. */
const moved = <T>(value: T): T => transfer(value, transferables(value));

const started = start();

// Calls may come before the stores are open.
const contract: CoordinatorContract = {
  subscribe: async (port) => (await started).subscribe(port),
  setVisible: async (visible) => (await started).setVisible(visible),
  listRuns: async () => (await started).listRuns(),
  snapshot: async (id) => moved(await (await started).snapshot(id)),
  generations: async (id, first, last) => (await started).generations(id, first, last),
  check: async (text) => (await started).check(text),
  start: async (manifest, options) => (await started).start(manifest, options),
  pause: async (id) => (await started).pause(id),
  resume: async (id) => (await started).resume(id),
  stop: async (id) => (await started).stop(id),
  deleteRun: async (id) => (await started).deleteRun(id),
  downloadElite: async (id) => moved(await (await started).downloadElite(id)),
  downloadPolicy: async (id) => moved(await (await started).downloadPolicy(id)),
  playElite: async (id, seed) => moved(await (await started).playElite(id, seed)),
  kernels: async (id) => (await started).kernels(id),
  storage: async () => (await started).storage(),
};

installErrorTransfer();
expose(contract);
