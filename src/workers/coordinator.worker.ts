/**
 * Entry point of the coordinator's worker. The code that reports an empty list of runs is small; the engine
 * is loaded after it.
 */
import { expose, transfer } from "comlink";
import type { Coordinator } from "./coordinator.ts";
import { PageSandboxes } from "./environments/PageSandboxes.ts";
import { installErrorTransfer } from "./errorTransfer.ts";
import { onDemand } from "./onDemand.ts";
import { openBrowserStores } from "./openBrowserStores.ts";
import type { Coordinator as CoordinatorContract } from "./protocol.ts";
import { storageInfo } from "./storageInfo.ts";
import type { SharedRuns } from "./tabs/shareRuns.ts";
import { transferables } from "./transferables.ts";

/**
 * Delay before loading the engine after an empty list of runs, ms. The page has the network and
 * the processor until then.
 */
const CALM = 1000;

/** Transfers a value's arrays instead of copying them; they cannot be used here afterwards. */
const moved = <T>(value: T): T => transfer(value, transferables(value));

const stores = openBrowserStores();
const sandboxes = new PageSandboxes();
const engine = onDemand(async () => {
  const { startCoordinator } = await import("./startCoordinator.ts");
  return startCoordinator(await stores, sandboxes);
});
/**
 * Resolves when the modules that runs need are loaded; a page requests them with its first call,
 * if it has any.
 */
let loaded: Promise<void> = Promise.resolve();

const ready = async (): Promise<Coordinator> => {
  const { coordinator } = await engine.begin();
  // The caller of `useModules` has already received the error.
  await loaded.catch(() => undefined);
  return coordinator;
};

/** Calls about one run, which may be live in another tab. */
const about = async (): Promise<SharedRuns["calls"]> => {
  await ready();
  return (await engine.begin()).calls;
};

/**
 * Runs `act` as soon as the engine is loaded. A loading error is reported to the calls that
 * wait for the engine.
 */
const whenLoaded = (act: (coordinator: Coordinator) => Promise<void>): Promise<void> =>
  engine.loaded.then(({ coordinator }) => act(coordinator)).catch(() => undefined);

/** Whether no run exists here, so that the engine can wait. */
async function isNew(): Promise<boolean> {
  return !engine.begun && (await (await stores).runStore.listRuns()).length === 0;
}

// Calls may arrive before the stores are open and the modules are loaded.
const contract: CoordinatorContract = {
  useModules: async (urls) => {
    loaded = loaded.then(async () => (await engine.begin()).coordinator.useModules(urls));
    await loaded;
  },
  // Neither call needs the engine. Both reach it once it is loaded, before all other calls.
  subscribe: async (port) => void whenLoaded((coordinator) => coordinator.subscribe(port)),
  setVisible: async (visible) => void whenLoaded((coordinator) => coordinator.setVisible(visible)),
  listRuns: async () => {
    if (!(await isNew())) return (await ready()).listRuns();
    // Calls that need the engine report a loading error.
    setTimeout(() => engine.begin().catch(() => undefined), CALM);
    return [];
  },
  manifests: async () => (await ready()).manifests(),
  snapshot: async (id) => moved(await (await about()).snapshot(id)),
  generations: async (id, first, last) => (await about()).generations(id, first, last),
  check: async (text) => (await ready()).check(text),
  estimate: async (text) => (await ready()).estimate(text),
  calibrate: async (text) => (await ready()).calibrate(text),
  start: async (manifest, options) => (await ready()).start(manifest, options),
  pause: async (id) => (await about()).pause(id),
  resume: async (id) => (await about()).resume(id),
  stop: async (id) => (await about()).stop(id),
  deleteRun: async (id) => (await about()).deleteRun(id),
  downloadElite: async (id) => moved(await (await about()).downloadElite(id)),
  downloadPolicy: async (id) => moved(await (await about()).downloadPolicy(id)),
  downloadMetrics: async (id) => moved(await (await about()).downloadMetrics(id)),
  downloadEvents: async (id) => moved(await (await about()).downloadEvents(id)),
  kernels: async (id) => (await about()).kernels(id),
  listModels: async () => (await ready()).models.list(),
  addModel: async (name, files) => (await ready()).models.add(name, files),
  deleteModel: async (name) => (await ready()).models.remove(name),
  // Needs no engine: the port is kept until a sandbox is requested.
  lendSandboxes: async (port) => sandboxes.lend(port),
  listEnvironments: async () => (await ready()).environments.list(),
  readEnvironment: async (name) => (await ready()).environments.read(name),
  saveEnvironment: async (name, source) => (await ready()).environments.save(name, source),
  deleteEnvironment: async (name) => (await ready()).environments.remove(name),
  runEnvironment: async (run) => (await ready()).runEnvironment(run),
  history: async (id, from) => moved(await (await about()).history(id, from)),
  agents: async (id) => (await about()).agents(id),
  agent: async (id, ref) => moved(await (await about()).agent(id, ref)),
  players: async (id, generation) => moved(await (await about()).players(id, generation)),
  network: async (id, ref) => (await about()).network(id, ref),
  discard: async (id) => (await about()).discard(id),
  rename: async (id, name) => (await about()).rename(id, name),
  setTags: async (id, tags) => (await about()).setTags(id, tags),
  setNote: async (id, text) => (await about()).setNote(id, text),
  checkpoints: async (id) => (await about()).checkpoints(id),
  pin: async (id, generation, on) => (await about()).pin(id, generation, on),
  deleteCheckpoint: async (id, generation) => (await about()).deleteCheckpoint(id, generation),
  exportRun: async (id) => moved(await (await about()).exportRun(id)),
  importRun: async (bytes) => (await ready()).importRun(bytes),
  persist: async () => (await ready()).persist(),
  policy: async () => (await ready()).policy(),
  setPolicy: async (policy) => (await ready()).setPolicy(policy),
  steer: async (id, action) => (await about()).steer(id, action),
  steering: async (id) => (await about()).steering(id),
  queue: async (manifest, options) => (await ready()).queue(manifest, options),
  extend: async (id, max_steps) => (await ready()).extend(id, max_steps),
  fork: async (id, ref, how, manifest) => (await ready()).fork(id, ref, how, manifest),
  storage: async () => {
    if (!(await isNew())) return (await ready()).storage();
    const parts = await stores;
    return storageInfo(parts, parts.report, []);
  },
};

installErrorTransfer();
expose(contract);
