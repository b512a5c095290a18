/** Entry of the coordinator's worker. */
import { expose, transfer } from "comlink";
import { findAdapter } from "../kernels/wgsl/openGpu.ts";
import { onDevice } from "../training/executors/makeExecutor.ts";
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
    makeExecutor: ({ definition, modules, device, workers, onNotice }) => {
      const wasm = new WorkerExecutor({ definition, modules, spawn: spawnBrowserWorker, workers, onNotice });
      return onDevice(definition, device, wasm, onNotice);
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
/** Modules that runs need; a page's first call, if it has any. */
let loaded: Promise<void> = Promise.resolve();

const ready = async (): Promise<CoordinatorContract> => {
  const coordinator = await started;
  // Whoever asked for them has been told of what failed.
  await loaded.catch(() => undefined);
  return coordinator;
};

// Calls may come before the stores are open and the modules are there.
const contract: CoordinatorContract = {
  useModules: async (urls) => {
    loaded = loaded.then(async () => (await started).useModules(urls));
    await loaded;
  },
  subscribe: async (port) => (await ready()).subscribe(port),
  setVisible: async (visible) => (await ready()).setVisible(visible),
  listRuns: async () => (await ready()).listRuns(),
  snapshot: async (id) => moved(await (await ready()).snapshot(id)),
  generations: async (id, first, last) => (await ready()).generations(id, first, last),
  check: async (text) => (await ready()).check(text),
  start: async (manifest, options) => (await ready()).start(manifest, options),
  pause: async (id) => (await ready()).pause(id),
  resume: async (id) => (await ready()).resume(id),
  stop: async (id) => (await ready()).stop(id),
  deleteRun: async (id) => (await ready()).deleteRun(id),
  downloadElite: async (id) => moved(await (await ready()).downloadElite(id)),
  downloadPolicy: async (id) => moved(await (await ready()).downloadPolicy(id)),
  downloadMetrics: async (id) => moved(await (await ready()).downloadMetrics(id)),
  downloadEvents: async (id) => moved(await (await ready()).downloadEvents(id)),
  playElite: async (id, seed) => moved(await (await ready()).playElite(id, seed)),
  kernels: async (id) => (await ready()).kernels(id),
  storage: async () => (await ready()).storage(),
};

installErrorTransfer();
expose(contract);
