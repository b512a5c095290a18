/** Owns the runs of a workbench: starts, pauses, resumes and stores them. */
import type { KernelReport } from "../kernels/devices.ts";
import type { SpecIssue } from "../specs/index.ts";
import { userEnvironmentName } from "../specs/sections.ts";
import { type FileStore, type RunStore, readPolicy, writePolicy } from "../storage/index.ts";
import type { GenerationReport } from "../training/loop.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import type { MakeExecutor } from "./activeRun.ts";
import { checkImport } from "./checkImport.ts";
import { EnvironmentShelf, textAs } from "./environments/EnvironmentShelf.ts";
import { UserEnvironments } from "./environments/UserEnvironments.ts";
import { EventStream } from "./eventStream.ts";
import { KeptAgents } from "./KeptAgents.ts";
import { loadModules } from "./loadModules.ts";
import { Models } from "./models/Models.ts";
import { issuesOf, parseInput } from "./parseInput.ts";
import { readHistoryColumns, reportsBetween } from "./pastReports.ts";
import type {
  AgentFile,
  AgentRef,
  CheckpointSummary,
  Coordinator as CoordinatorContract,
  Download,
  EnvironmentCalls,
  EnvironmentText,
  HistoryColumns,
  KeptAgent,
  ModelCalls,
  NetworkWeights,
  RunEvent,
  RunSnapshot,
  RunStatus,
  RunSummary,
  StartEstimate,
  StartOptions,
  SteeringAction,
  StorageInfo,
  StoragePolicy,
} from "./protocol.ts";
import { RunDownloads } from "./RunDownloads.ts";
import { RunEdits } from "./RunEdits.ts";
import { RunFetches } from "./RunFetches.ts";
import { RunLauncher } from "./RunLauncher.ts";
import { Runs } from "./Runs.ts";
import { requireSteering } from "./requireSteering.ts";
import { storageInfo } from "./storageInfo.ts";

export interface CoordinatorParts {
  readonly runStore: RunStore;
  /** The store of `runStore`'s files. */
  readonly files: FileStore;
  readonly makeExecutor: MakeExecutor;
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

const LIVE: ReadonlySet<RunStatus> = new Set(["running", "paused"]);

/** Calls that the coordinator's members `models` and `environments` answer directly. */
type MemberCalls = keyof ModelCalls | Exclude<keyof EnvironmentCalls, "runEnvironment">;

export class Coordinator implements Omit<CoordinatorContract, MemberCalls> {
  readonly models: Models;
  readonly environments: EnvironmentShelf;
  readonly #userEnvironments: UserEnvironments;
  readonly #parts: CoordinatorParts;
  readonly #events: EventStream;
  readonly #runs: Runs;
  readonly #fetches: RunFetches;
  readonly #launcher: RunLauncher;
  readonly #agents: KeptAgents;
  readonly #edits: RunEdits;
  readonly #downloads: RunDownloads;
  readonly #report: string[];
  /** Aborts the calibration in progress. */
  #calibration: AbortController | null = null;
  /** Called with every run event, in addition to the subscriber. */
  onEvent: (event: RunEvent) => void = () => undefined;
  /** Called for a run that is live in another tab. */
  onElsewhere: (id: string) => void = () => undefined;

  constructor(parts: CoordinatorParts) {
    const { runStore, now = Date.now } = parts;
    this.#parts = parts;
    this.#events = new EventStream(now);
    this.#report = [...(parts.report ?? [])];
    const emit = (event: RunEvent): void => {
      this.#events.emit(event);
      this.onEvent(event);
    };
    this.#fetches = new RunFetches(parts.files, emit);
    this.#runs = new Runs({
      store: runStore,
      emit,
      fetches: this.#fetches,
      isQueued: (id) => this.#launcher.isQueued(id),
      onReport: (messages) => this.#report.push(...messages),
    });
    this.models = new Models(parts.files, () => this.#runs.allActive);
    this.environments = new EnvironmentShelf(parts.files);
    this.#userEnvironments = new UserEnvironments(this.environments);
    this.#agents = new KeptAgents(this.#runs);
    this.#launcher = new RunLauncher({
      ...parts,
      fetches: this.#fetches,
      runs: this.#runs,
      agents: this.#agents,
      models: this.models,
      environments: this.#userEnvironments,
      now,
    });
    this.#edits = new RunEdits(this.#runs);
    this.#downloads = new RunDownloads(this.#runs, parts.files);
  }

  /** Marks runs that an earlier tab left live as interrupted. Every other method waits for this. */
  recover(): Promise<void> {
    return this.#runs.recover();
  }

  /** Whether the run is in this tab's memory. */
  holds(id: string): boolean {
    return this.#runs.active(id) !== undefined;
  }

  async isElsewhere(id: string): Promise<boolean> {
    return !this.holds(id) && this.#parts.runStore.isHeldElsewhere(id);
  }

  /** Forwards an event of a run in another tab to the subscriber. */
  relay(event: RunEvent): void {
    const isLive = event.kind === "summary" && LIVE.has(event.summary.state);
    this.#events.emit(isLive ? { ...event, summary: { ...event.summary, live_elsewhere: true } } : event);
  }

  /** Called when another tab has released the run: checks the run's state and reports it. */
  letGo(id: string): Promise<void> {
    return this.#runs.settle(id);
  }

  async useModules(urls: readonly string[]): Promise<void> {
    await loadModules(urls);
    this.#launcher.modules.push(...urls);
  }

  async subscribe(port: MessagePort): Promise<void> {
    this.#events.subscribe(port);
  }

  async setVisible(visible: boolean): Promise<void> {
    this.#launcher.setVisible(visible);
  }

  async listRuns(): Promise<readonly RunSummary[]> {
    const runs = await this.#runs.list();
    for (const { id, live_elsewhere } of runs) if (live_elsewhere) this.onElsewhere(id);
    return runs;
  }

  async manifests(): Promise<Readonly<Record<string, unknown>>> {
    const records = await this.#parts.runStore.listRuns();
    const read = await Promise.allSettled(
      records.map(async ({ id }) => [id, (await this.#runs.catalog.stored(id)).manifest] as const),
    );
    return Object.fromEntries(
      read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    );
  }

  async snapshot(id: string): Promise<RunSnapshot> {
    const record = await this.#runs.record(id);
    const run = this.#runs.active(id);
    const history = run?.history ?? (await this.#runs.catalog.readHistory(id));
    const summary = await this.#runs.summary(record);
    const { manifest, seed, device } = await this.#runs.catalog.stored(id);
    return {
      summary,
      manifest,
      options: { seed, device },
      columns: history.columns(),
      latest: history.latest,
      progress: run?.progress ?? null,
      device: run?.device ?? record.device ?? null,
      total_steps: run?.progress?.total_steps ?? (await this.#runs.totalSteps(record)),
      notices: history.notices,
      completions: history.completions,
      failure: summary.state === "failed" ? (run?.failure ?? record.reason) : null,
    };
  }

  async runEnvironment(run: string): Promise<EnvironmentText | null> {
    await this.#runs.record(run);
    const { user_module: own } = await this.#runs.catalog.stored(run);
    const name = userEnvironmentName(own?.name);
    return own && name !== null ? textAs(name, own.sha256, own.source) : null;
  }

  async generations(id: string, first: number, last: number): Promise<readonly GenerationReport[]> {
    await this.#runs.record(id);
    return reportsBetween(this.#parts.runStore, id, await this.#runs.history(id), first, last);
  }

  async history(id: string, from: number): Promise<HistoryColumns> {
    await this.#runs.record(id);
    return readHistoryColumns(this.#parts.runStore, id, await this.#runs.history(id), from);
  }

  async check(text: string): Promise<readonly SpecIssue[]> {
    return issuesOf(text, this.#userEnvironments);
  }

  async estimate(text: string): Promise<StartEstimate> {
    // The estimate knows every kind of network, so it is loaded only when a manifest is edited.
    const { estimateStart } = await import("./estimateStart.ts");
    return estimateStart(text, { store: this.#parts.files, environments: this.#userEnvironments });
  }

  async calibrate(text: string): Promise<number | null> {
    this.#calibration?.abort();
    if (this.#runs.running) return null;
    const calibration = new AbortController();
    this.#calibration = calibration;
    const manifest = await parseInput(text, this.#userEnvironments);
    await workloadOf(manifest).runs.loadPlace?.(manifest, this.#parts.files);
    const { calibrate } = await import("./calibrate.ts");
    const { makeExecutor } = this.#parts;
    const { modules } = this.#launcher;
    const rate = await calibrate(manifest, { makeExecutor, modules, signal: calibration.signal });
    return rate === null ? null : rate * this.#launcher.workersFor(manifest);
  }

  start(input: unknown, options: StartOptions = {}): Promise<string> {
    // The calibration's worker would take a core from the run.
    this.#calibration?.abort();
    return this.#launcher.start(input, options);
  }

  queue(input: unknown, options: StartOptions = {}): Promise<string> {
    return this.#launcher.queue(input, options);
  }

  extend(id: string, max_steps: number): Promise<void> {
    return this.#launcher.extend(id, max_steps);
  }

  fork(id: string, ref: AgentRef, how: "resume" | "weights", manifest?: unknown): Promise<string> {
    return this.#launcher.fork(id, ref, how, manifest);
  }

  async pause(id: string): Promise<void> {
    await this.#runs.record(id);
    const run = this.#runs.active(id);
    if (!run || (run.state !== "running" && run.state !== "paused"))
      throw new Error("This run is not training, so there is nothing to pause.");
    await run.pause();
  }

  resume(id: string): Promise<void> {
    return this.#launcher.resume(id);
  }

  async stop(id: string): Promise<void> {
    const record = await this.#runs.record(id);
    const run = this.#runs.active(id);
    this.#fetches.cancel(id);
    if (run) await run.stop();
    else if (record.state === "running" || record.state === "paused") {
      throw new Error("This run is live in another tab; stop it there, or close that tab.");
    }
  }

  async deleteRun(id: string): Promise<void> {
    await this.#runs.record(id);
    await this.#launcher.delete(id);
  }

  discard(id: string): Promise<void> {
    return this.deleteRun(id);
  }

  rename(id: string, name: string): Promise<void> {
    return this.#edits.rename(id, name);
  }

  setTags(id: string, tags: readonly string[]): Promise<void> {
    return this.#edits.setTags(id, tags);
  }

  setNote(id: string, text: string): Promise<void> {
    return this.#edits.setNote(id, text);
  }

  async steer(id: string, action: SteeringAction): Promise<number> {
    await this.#runs.record(id);
    const run = this.#runs.active(id);
    if (!run || (run.state !== "running" && run.state !== "paused"))
      throw new Error("This run is not training, so it cannot be steered; resume it first.");
    return run.steer(requireSteering(action));
  }

  async steering(id: string): ReturnType<CoordinatorContract["steering"]> {
    await this.#runs.record(id);
    return (await this.#runs.history(id)).steering;
  }

  agents(id: string): Promise<readonly KeptAgent[]> {
    return this.#agents.list(id);
  }

  agent(id: string, ref: AgentRef): Promise<AgentFile> {
    return this.#agents.file(id, ref);
  }

  players(id: string, generation: number | null): Promise<readonly AgentFile[]> {
    return this.#agents.players(id, generation);
  }

  network(id: string, ref: AgentRef): Promise<readonly NetworkWeights[]> {
    return this.#agents.network(id, ref);
  }

  checkpoints(id: string): Promise<readonly CheckpointSummary[]> {
    return this.#edits.checkpoints(id);
  }

  pin(id: string, generation: number, on: boolean): Promise<void> {
    return this.#edits.pin(id, generation, on);
  }

  deleteCheckpoint(id: string, generation: number): Promise<void> {
    return this.#edits.deleteCheckpoint(id, generation);
  }

  downloadElite(id: string): Promise<Download> {
    return this.#downloads.elite(id);
  }

  downloadPolicy(id: string): Promise<Download> {
    return this.#downloads.policy(id);
  }

  downloadMetrics(id: string): Promise<Download> {
    return this.#downloads.metrics(id);
  }

  downloadEvents(id: string): Promise<Download> {
    return this.#downloads.events(id);
  }

  exportRun(id: string): Promise<Download> {
    return this.#downloads.archive(id);
  }

  async importRun(bytes: Uint8Array): Promise<string> {
    await this.recover();
    const { id } = await this.#parts.runStore.importRun(bytes, checkImport);
    await this.#runs.tellSummary(id);
    return id;
  }

  async kernels(id: string): Promise<readonly KernelReport[] | null> {
    await this.#runs.record(id);
    return (await this.#runs.active(id)?.kernels()) ?? null;
  }

  async storage(): Promise<StorageInfo> {
    await this.recover();
    const records = await this.#parts.runStore.listRuns();
    const runs = records.map(async (record) => ({
      id: record.id,
      bytes: await this.#runs.catalog.sizes(record),
    }));
    return storageInfo(this.#parts, this.#report, await Promise.all(runs));
  }

  async persist(): Promise<boolean> {
    return (await this.#parts.persist?.()) ?? false;
  }

  policy(): Promise<StoragePolicy> {
    return readPolicy(this.#parts.files);
  }

  setPolicy(policy: StoragePolicy): Promise<void> {
    return writePolicy(this.#parts.files, policy);
  }
}
