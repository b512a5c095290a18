/**
 * Entry point of the coordinator's worker. The code that reports an empty list of runs is small; the engine
 * is loaded after it.
 */
import { PageSandboxes } from "./compute/PageSandboxes.ts";
import { onDemand } from "./coordinator/onDemand.ts";
import { openBrowserStores, storageInfo } from "./files/browserStores.ts";
import { invoke } from "./protocol/callTable.ts";
import { serveCalls } from "./protocol/workerCalls.ts";
import { COORDINATOR_CALLS, type Coordinator } from "./protocol.ts";

/**
 * Delay before loading the engine after an empty list of runs, ms. The page has the network and the processor until then,
 * or until it expects a run.
 */
const CALM = 4000;

/** Name of the worker of a page that stores nothing (`ui/live/LiveSession.ts`). */
const IN_MEMORY = "rlkit coordinator in memory";

/** The calls that are answered by the engine. */
type Engine = Omit<Coordinator, "lendSandboxes">;

const stores = openBrowserStores(self.name === IN_MEMORY);
const sandboxes = new PageSandboxes();
const engine = onDemand(async (): Promise<Engine> => {
  const { startCoordinator } = await import("./tabs/startCoordinator.ts");
  return startCoordinator(await stores, sandboxes);
});
/**
 * Resolves when the modules that runs need are loaded; a page requests them with its first call,
 * if it has any.
 */
let loaded: Promise<void> = Promise.resolve();

const ready = async (): Promise<Engine> => {
  const coordinator = await engine.begin();
  // The caller of `useModules` has already received the error.
  await loaded.catch(() => undefined);
  return coordinator;
};

/**
 * Runs `act` as soon as the engine is loaded. A loading error is reported to the calls that
 * wait for the engine.
 */
const whenLoaded = (act: (coordinator: Engine) => Promise<void>): Promise<void> =>
  engine.loaded.then(act).catch(() => undefined);

/** Loads the engine before a call needs it. Calls that do report a loading error. */
const beginEngine = (): void => void engine.begin().catch(() => undefined);

/** Whether no run exists here, so that the engine can wait. */
async function isNew(): Promise<boolean> {
  return !engine.begun && (await (await stores).runStore.listRuns()).length === 0;
}

// Calls may arrive before the stores are open and the modules are loaded.
serveCalls(
  COORDINATOR_CALLS,
  {
    useModules: async (urls) => {
      loaded = loaded.then(async () => (await engine.begin()).useModules(urls));
      await loaded;
    },
    // Neither call needs the engine. Both reach it once it is loaded, before all other calls.
    subscribe: async (port) => void whenLoaded((coordinator) => coordinator.subscribe(port)),
    setVisible: async (visible) => void whenLoaded((coordinator) => coordinator.setVisible(visible)),
    // The caller waits for nothing of it.
    expectRun: async (manifest) => {
      void whenLoaded((coordinator) => coordinator.expectRun(manifest));
      beginEngine();
    },
    // Needs no engine: the port is kept until a sandbox is requested.
    lendSandboxes: async (port) => sandboxes.lend(port),
    listRuns: async () => {
      if (!(await isNew())) return (await ready()).listRuns();
      setTimeout(beginEngine, CALM);
      return [];
    },
    storage: async () => {
      if (!(await isNew())) return (await ready()).storage();
      const parts = await stores;
      return storageInfo(parts, parts.report, []);
    },
  },
  async (name, args) => invoke(await ready(), name, args),
);
