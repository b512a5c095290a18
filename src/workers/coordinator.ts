/** Owns the runs of a workbench: starts, holds, resumes and keeps them. */
import type { KernelReport } from "../kernels/kernelReport.ts";
import { listEnvironments } from "../rl/environments/index.ts";
import { parseManifestObject, type SpecIssue, type TrainingManifest } from "../specs/index.ts";
import { type FileStore, type RunRecord, type RunStore, sha256Hex } from "../storage/index.ts";
import { serialiser } from "../storage/serialise.ts";
import { resolveDevice } from "../training/executors/device.ts";
import type { GenerationReport } from "../training/loop/observer.ts";
import { globalStep, type RunState as TrainingState } from "../training/loop/runState.ts";
import { seedOf } from "../training/plan/buildRun.ts";
import { agentFactsOf, environmentOf } from "../training/plan/environmentOf.ts";
import { decodeRun } from "../training/workloads/decodeRun.ts";
import { workloadIssues, workloadOf } from "../training/workloads/registry.ts";
import { rlAgentOf } from "../training/workloads/reinforcementLearning.ts";
import { ActiveRun, type MakeExecutor } from "./activeRun.ts";
import { EventStream } from "./eventStream.ts";
import { loadModules } from "./loadModules.ts";
import { reportsBetween } from "./pastReports.ts";
import type {
  Coordinator as CoordinatorContract,
  Download,
  Episode,
  RunSnapshot,
  RunSummary,
  StartOptions,
} from "./protocol.ts";
import { EpisodeRecorder } from "./recordEpisode.ts";
import { type Elite, RunCatalog } from "./runCatalog.ts";
import { type HistoryEvent, RunHistory } from "./runHistory.ts";
import { defaultName, type StoredRun, storedRunSource, storeRun } from "./storedRun.ts";

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
      failure: summary.state === "failed" ? (run?.failure ?? record.reason) : null,
    };
  }

  async generations(id: string, first: number, last: number): Promise<readonly GenerationReport[]> {
    await this.#record(id);
    const history = this.#active.get(id)?.history ?? (await this.#catalog.history(id));
    return reportsBetween(this.#parts.runStore, id, history, first, last);
  }

  async check(text: string): Promise<readonly SpecIssue[]> {
    const { checkManifestText } = await textParser();
    const result = checkManifestText(text, { environments: listEnvironments(), alsoCheck: workloadIssues });
    return result.success ? [] : result.issues;
  }

  async start(input: unknown, options: StartOptions = {}): Promise<string> {
    await this.recover();
    return this.#serially("launch", async () => {
      const asked = resolveDevice(options.device ?? "auto");
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
      try {
        const run = await this.#launch(id, manifest, stored, state, new RunHistory(), 0);
        if (notice !== null) run.notice("warning", notice);
        for (const message of runs.warnings(manifest)) run.notice("warning", message);
        return id;
      } catch (error) {
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
      this.#catalog.forget(id);
    });
  }

  async downloadElite(id: string): Promise<Download> {
    return this.#downloadOfElite(id, "elite.safetensors", ({ agent, definition }, manifest) =>
      definition.files.encodeAgent(agent, definition.runs.facts(manifest)),
    );
  }

  async downloadPolicy(id: string): Promise<Download> {
    // Its encoder is no part of what the worker opens with.
    const { policyToOnnx } = await import("../rl/runtime/policyToOnnx.ts");
    return this.#downloadOfElite(id, "policy.onnx", ({ agent, definition }, manifest) => {
      const policy = rlAgentOf(definition, agent);
      if (!policy)
        throw new Error(`Members of a run of ${manifest.algorithm.name} have no policy to export.`);
      return policyToOnnx(policy, agentFactsOf(manifest));
    });
  }

  async #downloadOfElite(
    id: string,
    suffix: string,
    encode: (elite: Elite, manifest: TrainingManifest) => Uint8Array,
  ): Promise<Download> {
    const elite = await this.#elite(id);
    if (!elite) throw new Error("There is no elite yet: the run's first generation has not ended.");
    const manifest = parseManifestObject((await this.#catalog.stored(id)).manifest);
    const bytes = encode(elite, manifest);
    // Ids may have a part before a slash, which is no name of a file.
    const environment = manifest.environment.name.replaceAll("/", "-");
    return {
      name: `${environment}-${manifest.algorithm.name}-${suffix}`,
      type: "application/octet-stream",
      bytes: new Uint8Array(bytes),
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
    try {
      const stored = await this.#catalog.stored(id);
      const manifest = parseManifestObject(stored.manifest);
      const { state, saved, skipped } = await this.#lastState(record, manifest, stored.seed);
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
      const run = await this.#launch(id, manifest, stored, from, history, saved);
      this.#events.emit({ run: id, kind: "state", state: "running", failure: null });
      for (const message of skipped) run.notice("warning", `A checkpoint was left out. ${message}`);
    } catch (error) {
      await runStore.releaseRun(id);
      throw error;
    }
  }

  async #lastState(
    { id, checkpoint }: RunRecord,
    manifest: TrainingManifest,
    seed: number,
  ): Promise<{ state: TrainingState; saved: number; skipped: readonly string[] }> {
    const { runs } = workloadOf(manifest);
    const latest = await this.#parts.runStore.latestCheckpoint(id);
    if (latest) {
      const { state } = decodeRun(latest.files, latest.dir);
      const fitted = runs.fitted(state, manifest, latest.dir);
      return { state: fitted, saved: state.generation, skipped: latest.skipped };
    }
    if (checkpoint) {
      throw new Error(
        "None of this run's checkpoints can be read any more, so it cannot go on; start a new run with the same manifest.",
      );
    }
    return { state: runs.firstState(manifest, seed), saved: 0, skipped: [] };
  }
}

/** Loaded only for text: the YAML parser is large. */
const textParser = () => import("../specs/manifest/manifestText.ts");

/** @throws SpecError listing every problem; for text, with line and column. */
async function parseInput(input: unknown): Promise<TrainingManifest> {
  const options = { environments: listEnvironments(), alsoCheck: workloadIssues };
  if (typeof input !== "string") return parseManifestObject(input, options);
  const { parseManifestText } = await textParser();
  return parseManifestText(input, options);
}
