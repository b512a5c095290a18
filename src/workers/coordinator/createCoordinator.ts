/** Owns the runs of a workbench: starts, pauses, resumes and stores them. */
import { sizeOfTree } from "../../storage/files.ts";
import { type FileStore, type RunStore, readPolicy, writePolicy } from "../../storage/index.ts";
import { loadModules } from "../compute/loadModules.ts";
import { storageInfo } from "../files/browserStores.ts";
import { Models } from "../files/Models.ts";
import { RunFetches } from "../files/RunFetches.ts";
import { KeptEnvironments, UserEnvironments } from "../files/userEnvironments.ts";
import type { Coordinator } from "../protocol/calls.ts";
import type { RunEvent, RunStatus } from "../protocol/runs.ts";
import type { MakeExecutor } from "../runs/activeRun.ts";
import { KeptAgents } from "../runs/KeptAgents.ts";
import { Runs } from "../runs/Runs.ts";
import { checkImport } from "./checkImport.ts";
import { Explanations } from "./Explanations.ts";
import { EventStream } from "./eventStream.ts";
import { RunControl } from "./RunControl.ts";
import { RunDownloads } from "./RunDownloads.ts";
import { RunEdits } from "./RunEdits.ts";
import { RunLauncher } from "./RunLauncher.ts";
import { RunReader } from "./RunReader.ts";
import { RunVariants } from "./RunVariants.ts";

interface CoordinatorParts {
  readonly runStore: RunStore;
  /** The store of `runStore`'s files. */
  readonly files: FileStore;
  readonly makeExecutor: MakeExecutor;
  /** Makes executors of short trials, whose workers the next run takes over. Defaults to `makeExecutor`. */
  readonly makeRehearsal?: MakeExecutor;
  /** Starts a compute worker for the next run. Without it, workers start with their run. */
  readonly prepareWorker?: () => void;
  /** @throws Error that says what to do, if this machine has no GPU to train on. */
  readonly requireGpu: () => Promise<unknown>;
  /** Number of logical processors. */
  readonly cores: number;
  /** Asks the browser to make this site's storage persistent. Without it, `persist` resolves to false. */
  readonly persist?: () => Promise<boolean>;
  /** Whether the storage is persistent; null if unknown. */
  readonly isPersisted?: () => Promise<boolean | null>;
  /** Milliseconds since the epoch. Defaults to the system clock. */
  readonly now?: () => number;
  /** Messages about storage so far, for the user. */
  readonly report?: readonly string[];
}

/** The coordinator of one tab: it answers the calls for runs of this tab, and for stored runs. */
export interface TabCoordinator extends Omit<Coordinator, "lendSandboxes"> {
  /** Marks runs that an earlier tab left live as interrupted. Every call waits for this. */
  recover(): Promise<void>;
  /** Whether the run is in this tab's memory. */
  holds(id: string): boolean;
  isElsewhere(id: string): Promise<boolean>;
  /** Forwards an event of a run in another tab to the subscriber. */
  relay(event: RunEvent): void;
  /** Called when another tab has released the run: checks the run's state and reports it. */
  letGo(id: string): Promise<void>;
  /** Called with every run event, in addition to the subscriber. */
  onEvent: (event: RunEvent) => void;
  /** Called for a run that is live in another tab. */
  onElsewhere: (id: string) => void;
}

const LIVE: ReadonlySet<RunStatus> = new Set(["running", "paused"]);

export function createCoordinator(parts: CoordinatorParts): TabCoordinator {
  const { runStore, files, now = Date.now } = parts;
  const events = new EventStream(now);
  const report = [...(parts.report ?? [])];
  const emit = (event: RunEvent): void => {
    events.emit(event);
    coordinator.onEvent(event);
  };
  const fetches = new RunFetches(files, emit);
  const runs: Runs = new Runs({
    store: runStore,
    emit,
    fetches,
    isQueued: (id) => launcher.isQueued(id),
    onReport: (messages) => report.push(...messages),
  });
  const models = new Models(files, () => runs.allActive);
  const keptEnvironments = new KeptEnvironments(files);
  const environments = new UserEnvironments(keptEnvironments);
  const agents = new KeptAgents(runs);
  const launcher = new RunLauncher({ ...parts, fetches, runs, agents, models, environments, now });

  let hasTakenOver = false;
  const coordinator: TabCoordinator = {
    ...new RunReader(runs).calls,
    ...new RunControl({ ...parts, runs, launcher, fetches, environments }).calls,
    ...new RunVariants({ runs, launcher, environments }).calls,
    ...new Explanations({ ...parts, runs, launcher }).calls,
    ...new RunEdits(runs).calls,
    ...new RunDownloads(runs, files).calls,
    ...agents.calls,

    useModules: async (urls) => {
      await loadModules(urls);
      launcher.modules.push(...urls);
    },
    subscribe: async (port) => events.subscribe(port),
    setVisible: async (visible) => launcher.setVisible(visible),
    listRuns: async () => {
      const rows = await runs.list();
      // A page lists runs first, when the modules that they need are loaded.
      if (!hasTakenOver) void launcher.takeOver().catch(() => undefined);
      hasTakenOver = true;
      for (const { id, live_elsewhere, waiting } of rows)
        if (live_elsewhere || (waiting && !coordinator.holds(id))) coordinator.onElsewhere(id);
      return rows;
    },
    importRun: async (bytes) => {
      await runs.recover();
      const { id } = await runStore.importRun(bytes, checkImport);
      await runs.tellSummary(id);
      return id;
    },

    storage: async () => {
      await runs.recover();
      const stored = (await runStore.listRuns()).map(async (record) => ({
        id: record.id,
        bytes: await runs.catalog.sizes(record),
      }));
      return storageInfo(parts, report, await Promise.all(stored));
    },
    storedBytes: () => sizeOfTree(files, "/"),
    persist: async () => (await parts.persist?.()) ?? false,
    policy: () => readPolicy(files),
    setPolicy: (policy) => writePolicy(files, policy),

    listModels: () => models.list(),
    addModel: (name, picked) => models.add(name, picked),
    deleteModel: (name) => models.remove(name),
    listEnvironments: () => keptEnvironments.list(),
    readEnvironment: (name) => keptEnvironments.read(name),
    saveEnvironment: async (name, source) => keptEnvironments.save(name, source),
    deleteEnvironment: (name) => keptEnvironments.remove(name),

    recover: () => runs.recover(),
    holds: (id) => runs.active(id) !== undefined || launcher.isQueued(id),
    isElsewhere: async (id) => !coordinator.holds(id) && runStore.isHeldElsewhere(id),
    relay: (event) => {
      const isLive = event.kind === "summary" && LIVE.has(event.summary.state);
      events.emit(isLive ? { ...event, summary: { ...event.summary, live_elsewhere: true } } : event);
    },
    letGo: (id) => runs.settle(id),
    onEvent: () => undefined,
    onElsewhere: () => undefined,
  };
  return coordinator;
}
