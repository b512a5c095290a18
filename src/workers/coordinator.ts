/** Owns the runs of a workbench: starts, holds, resumes and keeps them. */
import type { KernelReport } from "../kernels/kernelReport.ts";
import { parseManifestObject, type SpecIssue, type TrainingManifest } from "../specs/index.ts";
import { type FileStore, type RunRecord, type RunStore, sha256Hex } from "../storage/index.ts";
import { serialiser } from "../storage/serialise.ts";
import { resolveDevice } from "../training/executors/device.ts";
import type { GenerationReport } from "../training/loop/observer.ts";
import { globalStep, type RunState as TrainingState } from "../training/loop/runState.ts";
import { seedOf } from "../training/plan/buildRun.ts";
import { environmentOf } from "../training/plan/environmentOf.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { rlAgentOf } from "../training/workloads/reinforcementLearning.ts";
import { ActiveRun, type MakeExecutor } from "./activeRun.ts";
import { type DownloadedElite, eliteFile, policyFile } from "./eliteFiles.ts";
import { EventStream } from "./eventStream.ts";
import { lastState } from "./lastState.ts";
import { loadModules } from "./loadModules.ts";
import { eventsFile, metricsFile, type ToldRun, toldAs } from "./metricFiles.ts";
import { issuesOf, parseInput } from "./parseInput.ts";
import { allReports, reportsBetween } from "./pastReports.ts";
import type {
  Coordinator as CoordinatorContract,
  Download,
  Episode,
  RunSnapshot,
  RunSummary,
  StartOptions,
} from "./protocol.ts";
import type { RunTrackers } from "./RunTrackers.ts";
import { EpisodeRecorder } from "./recordEpisode.ts";
import { type Elite, RunCatalog } from "./runCatalog.ts";
import { type HistoryEvent, RunHistory } from "./runHistory.ts";
import { defaultName, type StoredRun, storedRunSource, storeRun } from "./storedRun.ts";
import { TrackedRuns } from "./TrackedRuns.ts";
import { requireTrackerChoice } from "./trackerChoice.ts";

export interface CoordinatorParts {
  readonly runStore: RunStore;
  /** What `runStore` keeps its files in. */
  readonly files: FileStore;
  readonly makeExecutor: MakeExecutor;
  /** @throws Error that says what to do, when this machine has no GPU to train on. */
  readonly requireGpu: () => Promise<unknown>;
  /** Logical processors. */
  readonly cores: number;
  /** Milliseconds since the epoch; the clock unless given. */
  readonly now?: () => number;
  /** What was found about storage so far, for the user. */
  readonly report?: readonly string[];
}

export class Coordinator implements CoordinatorContract {
  readonly #parts: CoordinatorParts;
  readonly #now: () => number;
  readonly #events: EventStream;
  readonly #recorder = new EpisodeRecorder();
  /** Runs in memory: running, paused, or ended with a boundary that could not be saved. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #catalog: RunCatalog;
  readonly #serially = serialiser();
  readonly #report: string[];
  readonly #tracked: TrackedRuns;
  /** What compute workers import before they train. */
  readonly #modules: string[] = [];
  #recovered: Promise<void> | null = null;
  #visible = true;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#events = new EventStream(this.#now);
    this.#report = [...(parts.report ?? [])];
    this.#catalog = new RunCatalog(parts.runStore);
    this.#tracked = new TrackedRuns(parts.files);
  }

  /** Marks what an earlier tab left live as interrupted. Every other method waits for it. */
  recover(): Promise<void> {
    this.#recovered ??= this.#recover().catch((error: unknown) => {
      // What is not there now may be there for the next call.
      this.#recovered = null;
      throw error;
    });
    return this.#recovered;
  }

  async useModules(urls: readonly string[]): Promise<void> {
    await loadModules(urls);
    this.#modules.push(...urls);
  }

  async subscribe(port: MessagePort): Promise<void> {
    this.#events.subscribe(port);
  }

  async setVisible(visible: boolean): Promise<void> {
    this.#visible = visible;
    for (const run of this.#active.values()) run.setVisible(visible, this.#workers(run.manifest));
  }

  async listRuns(): Promise<readonly RunSummary[]> {
    await this.recover();
    const records = await this.#parts.runStore.listRuns();
    return Promise.all(records.map((record) => this.#catalog.summary(record, this.#active.get(record.id))));
  }

  async snapshot(id: string): Promise<RunSnapshot> {
    const record = await this.#record(id);
    const run = this.#active.get(id);
    const history = run?.history ?? (await this.#catalog.readHistory(id));
    const summary = await this.#catalog.summary(record, this.#active.get(record.id));
    const { manifest, seed, device } = await this.#catalog.stored(id);
    return {
      summary,
      manifest,
      options: { seed, device },
      columns: history.columns(),
      latest: history.latest,
      progress: run?.progress ?? null,
      device: run?.device ?? null,
      notices: history.notices,
      completions: history.completions,
      failure: summary.state === "failed" ? (run?.failure ?? record.reason) : null,
    };
  }

  async generations(id: string, first: number, last: number): Promise<readonly GenerationReport[]> {
    await this.#record(id);
    const history = this.#active.get(id)?.history ?? (await this.#catalog.history(id));
    return reportsBetween(this.#parts.runStore, id, history, first, last);
  }

  async check(text: string): Promise<readonly SpecIssue[]> {
    return issuesOf(text);
  }

  async start(input: unknown, options: StartOptions = {}): Promise<string> {
    await this.recover();
    return this.#serially("launch", async () => {
      const asked = resolveDevice(options.device ?? "auto");
      const tracker = options.tracker === undefined ? null : requireTrackerChoice(options.tracker);
      const manifest = await parseInput(input);
      const { runs } = workloadOf(manifest);
      const { device, notice } = runs.deviceOf(manifest, asked);
      // Before anything is stored: a GPU asked for by name is there, or the run does not start.
      if (device === "webgpu") await this.#parts.requireGpu();
      this.#requireNoneRunning();
      const seed = seedOf(manifest, options.seed);
      const state = runs.firstState(manifest, seed);
      const stored = storeRun(manifest, seed, device);
      const name = options.name ?? defaultName(manifest);
      const { id } = await this.#parts.runStore.createRun({ name, manifest: stored });
      let trackers: RunTrackers | null = null;
      try {
        if (tracker) trackers = await this.#tracked.begin({ id, manifest, seed, state }, tracker, name);
        const run = await this.#launch(id, manifest, stored, state, new RunHistory(), 0, trackers);
        if (notice !== null) run.notice("warning", notice);
        for (const message of runs.warnings(manifest)) run.notice("warning", message);
        return id;
      } catch (error) {
        this.#tracked.forget(id);
        await trackers?.close({ ok: false });
        await this.#parts.runStore.deleteRun(id);
        throw error;
      }
    });
  }

  async pause(id: string): Promise<void> {
    await this.#record(id);
    const run = this.#active.get(id);
    if (!run || (run.state !== "running" && run.state !== "paused"))
      throw new Error("This run is not training, so there is nothing to pause.");
    await run.pause();
  }

  async resume(id: string): Promise<void> {
    const record = await this.#record(id);
    await this.#serially("launch", async () => {
      const run = this.#active.get(id);
      if (run?.state === "running") return;
      this.#requireNoneRunning();
      if (run?.state === "paused") await run.resume();
      else await this.#reopen(record, run);
    });
  }

  async stop(id: string): Promise<void> {
    const record = await this.#record(id);
    const run = this.#active.get(id);
    if (run) await run.stop();
    else if (record.state === "running" || record.state === "paused") {
      throw new Error("This run is live in another tab; stop it there, or close that tab.");
    }
  }

  async deleteRun(id: string): Promise<void> {
    await this.#record(id);
    await this.#serially("launch", async () => {
      await this.#active.get(id)?.discard();
      await this.#parts.runStore.deleteRun(id);
      this.#active.delete(id);
      this.#tracked.forget(id);
      this.#catalog.forget(id);
    });
  }

  async downloadElite(id: string): Promise<Download> {
    return eliteFile(await this.#downloaded(id));
  }

  async downloadPolicy(id: string): Promise<Download> {
    return policyFile(await this.#downloaded(id));
  }

  async downloadMetrics(id: string): Promise<Download> {
    return metricsFile(await this.#told(id));
  }

  async downloadEvents(id: string): Promise<Download> {
    return eventsFile(await this.#told(id));
  }

  async #downloaded(id: string): Promise<DownloadedElite> {
    const elite = await this.#elite(id);
    if (!elite) throw new Error("There is no elite yet: the run's first generation has not ended.");
    return { elite, manifest: parseManifestObject((await this.#catalog.stored(id)).manifest) };
  }

  /** A run's rows for a file. */
  async #told(id: string): Promise<ToldRun> {
    const record = await this.#record(id);
    const run = this.#active.get(id);
    const history = run?.history ?? (await this.#catalog.history(id));
    const { manifest, seed } = await this.#catalog.stored(id);
    const elite = await this.#elite(id);
    const members = run?.training.members ?? (elite ? [elite.agent] : []);
    return {
      ...toldAs(parseManifestObject(manifest), seed, members, history.population),
      started: record.created_at,
      reports: allReports(this.#parts.runStore, id, history),
    };
  }

  async playElite(id: string, seed: number): Promise<Episode | null> {
    const elite = await this.#elite(id);
    const agent = elite && rlAgentOf(elite.definition, elite.agent);
    if (!agent) return null;
    const manifest = parseManifestObject((await this.#catalog.stored(id)).manifest);
    return this.#recorder.record(agent, environmentOf(manifest), elite.generation, seed);
  }

  async kernels(id: string): Promise<readonly KernelReport[] | null> {
    await this.#record(id);
    return (await this.#active.get(id)?.kernels()) ?? null;
  }

  async storage(): Promise<{
    kind: "opfs" | "memory";
    used: number | null;
    quota: number | null;
    report: readonly string[];
  }> {
    await this.recover();
    const { files } = this.#parts;
    const estimate = await files.estimate();
    return {
      kind: files.kind === "memory" ? "memory" : "opfs",
      used: estimate?.used ?? null,
      quota: estimate?.quota ?? null,
      report: this.#report,
    };
  }

  async #recover(): Promise<void> {
    const { messages } = await this.#parts.runStore.recover(storedRunSource);
    this.#report.push(...messages);
  }

  /** @throws Error when there is no such run. */
  async #record(id: string): Promise<RunRecord> {
    await this.recover();
    const record = await this.#parts.runStore.getRun(id);
    if (record) return record;
    throw new Error(`There is no run ${id} in this browser; it may have been deleted.`);
  }

  /** Workers for a run: a visible tab keeps one core for the page. */
  #workers({ training }: TrainingManifest): number {
    const { cores } = this.#parts;
    return Math.max(1, Math.min(training.pop_size, this.#visible ? cores - 1 : cores));
  }

  async #elite(id: string): Promise<Elite | null> {
    const record = await this.#record(id);
    const run = this.#active.get(id);
    if (run) {
      const { definition, elite: agent, training } = run;
      return agent && { agent, definition, generation: training.generation };
    }
    return this.#catalog.elite(record);
  }

  #requireNoneRunning(): void {
    const running = [...this.#active.values()].find(({ state }) => state === "running");
    if (!running) return;
    const { algorithm, environment } = running.manifest;
    throw new Error(
      `${algorithm.name} on ${environment.name} is training already; pause or stop the running one first.`,
    );
  }

  async #launch(
    id: string,
    manifest: TrainingManifest,
    stored: StoredRun,
    state: TrainingState,
    history: RunHistory,
    saved: number,
    trackers: RunTrackers | null,
  ): Promise<ActiveRun> {
    const { runStore, makeExecutor } = this.#parts;
    const text = JSON.stringify(stored.manifest);
    const run = new ActiveRun({
      id,
      definition: workloadOf(manifest),
      manifest,
      stored: stored.manifest,
      specHash: await sha256Hex(new TextEncoder().encode(text)),
      seed: stored.seed,
      state,
      history,
      saved,
      trackers,
      store: runStore,
      makeExecutor,
      modules: this.#modules,
      device: stored.device,
      workers: this.#workers(manifest),
      visible: this.#visible,
      now: this.#now,
      emit: (event) => this.#events.emit(event),
    });
    this.#active.set(id, run);
    run.start(async () => {
      // What could not be saved stays in memory for as long as the tab lives.
      if (run.isSaved && this.#active.get(id) === run) this.#active.delete(id);
      await runStore.releaseRun(id);
    });
    return run;
  }

  /** Goes on from what is in memory of an ended run, else from the last checkpoint, else from the beginning. */
  async #reopen(record: RunRecord, ended: ActiveRun | undefined): Promise<void> {
    const { runStore } = this.#parts;
    const { id } = record;
    if (record.state === "finished") {
      throw new Error(
        "This run is finished. Start a new one to train again, with a larger max_steps to train longer.",
      );
    }
    await ended?.ended();
    await runStore.acquireRun(id);
    let trackers: RunTrackers | null = null;
    try {
      const stored = await this.#catalog.stored(id);
      const manifest = parseManifestObject(stored.manifest);
      const { state, saved, skipped } = await lastState(runStore, record, manifest, stored.seed);
      const history = ended?.history ?? (await this.#catalog.readHistory(id));
      const from = ended ? ended.training : state;
      const resumed: HistoryEvent = { type: "resumed", generation: from.generation };
      const events = [...(ended?.unwritten ?? []), resumed];
      history.written(events, await runStore.appendLog(id, events));
      history.add(resumed);
      await runStore.updateRun(id, {
        state: "running",
        reason: null,
        generation: from.generation,
        global_step: globalStep(from),
        best_fitness: history.best,
      });
      trackers = await this.#tracked.goOn({ id, manifest, seed: stored.seed, state: from });
      const run = await this.#launch(id, manifest, stored, from, history, saved, trackers);
      this.#events.emit({ run: id, kind: "state", state: "running", failure: null });
      for (const message of skipped) run.notice("warning", `A checkpoint was left out. ${message}`);
    } catch (error) {
      await trackers?.close({ ok: false });
      await runStore.releaseRun(id);
      throw error;
    }
  }
}
