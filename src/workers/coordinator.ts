/** Owns the runs of a workbench: starts, holds, resumes and keeps them. */
import { listEnvironments } from "../rl/environments/index.ts";
import { parseManifestObject, type TrainingManifest } from "../specs/index.ts";
import { type FileStore, type RunRecord, type RunStore, sha256Hex } from "../storage/index.ts";
import { serialiser } from "../storage/serialise.ts";
import { decodeAgent, encodeAgent } from "../training/agentFile.ts";
import { resolveDevice } from "../training/device.ts";
import {
  environmentOf,
  evolutionOf,
  initialMembers,
  initialState,
  runWarnings,
  seedOf,
} from "../training/run/buildRun.ts";
import { decodeRun, ELITE_FILE } from "../training/run/runCheckpoint.ts";
import { globalStep, type RunState as TrainingState } from "../training/run/runState.ts";
import { ActiveRun, agentFacts, type MakeExecutor, progressOf } from "./activeRun.ts";
import { EventStream } from "./eventStream.ts";
import type {
  Coordinator as CoordinatorContract,
  Download,
  Episode,
  RunSnapshot,
  RunSummary,
  StartOptions,
} from "./protocol.ts";
import { EpisodeRecorder } from "./recordEpisode.ts";
import { type HistoryEvent, RunHistory } from "./runHistory.ts";
import { readStoredRun, type StoredRun, storeRun } from "./storedRun.ts";

export interface CoordinatorParts {
  readonly runStore: RunStore;
  /** What `runStore` keeps its files in. */
  readonly files: FileStore;
  readonly makeExecutor: MakeExecutor;
  /** Logical processors. */
  readonly cores: number;
  /** Milliseconds since the epoch; the clock unless given. */
  readonly now?: () => number;
  /** What was found about storage so far, for the user. */
  readonly report?: readonly string[];
}

/** The elite of a run's last generation, as it was found in memory or on disk. */
interface Elite {
  readonly agent: Parameters<typeof encodeAgent>[0];
  readonly generation: number;
}

export class Coordinator implements CoordinatorContract {
  readonly #parts: CoordinatorParts;
  readonly #now: () => number;
  readonly #events: EventStream;
  readonly #recorder = new EpisodeRecorder();
  /** Runs in memory: running, paused, or ended with a boundary that could not be saved. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #stored = new Map<string, StoredRun>();
  readonly #sizes = new Map<string, { readonly checkpoint: string; readonly bytes: number }>();
  readonly #elites = new Map<string, Elite & { readonly checkpoint: string }>();
  readonly #serially = serialiser();
  readonly #report: string[];
  #recovered: Promise<void> | null = null;
  #visible = true;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#events = new EventStream(this.#now);
    this.#report = [...(parts.report ?? [])];
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

  async subscribe(port: MessagePort): Promise<void> {
    this.#events.subscribe(port);
  }

  async setVisible(visible: boolean): Promise<void> {
    this.#visible = visible;
    for (const run of this.#active.values()) run.setWorkers(this.#workers(run.manifest));
  }

  async listRuns(): Promise<readonly RunSummary[]> {
    await this.recover();
    const records = await this.#parts.runStore.listRuns();
    return Promise.all(records.map((record) => this.#summary(record)));
  }

  async snapshot(id: string): Promise<RunSnapshot> {
    const record = await this.#record(id);
    const run = this.#active.get(id);
    const history = run?.history ?? RunHistory.fromLog((await this.#parts.runStore.readLog(id)).events);
    const summary = await this.#summary(record);
    return {
      summary,
      manifest: (await this.#storedRun(id)).manifest,
      generations: history.generations,
      progress: run?.progress ?? null,
      device: run?.device ?? null,
      notices: history.notices,
      failure: summary.state === "failed" ? (run?.failure ?? record.reason) : null,
    };
  }

  async start(input: unknown, options: StartOptions = {}): Promise<string> {
    await this.recover();
    return this.#serially("launch", async () => {
      resolveDevice(options.device ?? "auto");
      const manifest = await parseInput(input);
      this.#requireNoneRunning();
      const seed = seedOf(manifest, options.seed);
      const state = firstState(manifest, seed);
      const stored = storeRun(manifest, seed);
      const name = options.name ?? `${manifest.algorithm.name} ${manifest.environment.name}`;
      const { id } = await this.#parts.runStore.createRun({ name, manifest: stored });
      this.#stored.set(id, stored);
      try {
        const run = await this.#launch(id, manifest, stored, state, new RunHistory(), 0);
        for (const message of warningsOf(manifest)) run.notice("warning", message);
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
      for (const cache of [this.#stored, this.#sizes, this.#elites]) cache.delete(id);
    });
  }

  async downloadElite(id: string): Promise<Download> {
    const elite = await this.#elite(id);
    if (!elite) throw new Error("There is no elite yet: the run's first generation has not ended.");
    const manifest = parseManifestObject((await this.#storedRun(id)).manifest);
    const bytes = encodeAgent(elite.agent, agentFacts(manifest));
    return {
      name: `${manifest.environment.name}-${manifest.algorithm.name}-elite.safetensors`,
      type: "application/octet-stream",
      bytes: new Uint8Array(bytes),
    };
  }

  async playElite(id: string, seed: number): Promise<Episode | null> {
    const elite = await this.#elite(id);
    if (!elite) return null;
    const { manifest } = await this.#storedRun(id);
    return this.#recorder.record(elite.agent, manifest.environment.name, elite.generation, seed);
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
    const { messages } = await this.#parts.runStore.recover();
    this.#report.push(...messages);
  }

  /** @throws Error when there is no such run. */
  async #record(id: string): Promise<RunRecord> {
    await this.recover();
    const record = await this.#parts.runStore.getRun(id);
    if (record) return record;
    throw new Error(`There is no run ${id} in this browser; it may have been deleted.`);
  }

  async #storedRun(id: string): Promise<StoredRun> {
    const known = this.#stored.get(id);
    if (known) return known;
    const stored = readStoredRun(await this.#parts.runStore.readManifest(id));
    this.#stored.set(id, stored);
    return stored;
  }

  /** Workers for a run: a visible tab keeps one core for the page. */
  #workers({ training }: TrainingManifest): number {
    const { cores } = this.#parts;
    return Math.max(1, Math.min(training.pop_size, this.#visible ? cores - 1 : cores));
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
      manifest,
      stored: stored.manifest,
      specHash: await sha256Hex(new TextEncoder().encode(text)),
      seed: stored.seed,
      state,
      history,
      saved,
      store: runStore,
      makeExecutor,
      workers: this.#workers(manifest),
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
      const stored = await this.#storedRun(id);
      const manifest = parseManifestObject(stored.manifest);
      const { state, saved, skipped } = await this.#lastState(record, manifest, stored.seed);
      const history = ended?.history ?? RunHistory.fromLog((await runStore.readLog(id)).events);
      const from = ended ? ended.training : state;
      const resumed: HistoryEvent = { type: "resumed", generation: from.generation };
      await runStore.appendLog(id, [...(ended?.unwritten ?? []), resumed]);
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
    const latest = await this.#parts.runStore.latestCheckpoint(id);
    if (latest) {
      const { state } = decodeRun(latest.files, latest.dir);
      return { state, saved: state.generation, skipped: latest.skipped };
    }
    if (checkpoint) {
      throw new Error(
        "None of this run's checkpoints can be read any more, so it cannot go on; start a new run with the same manifest.",
      );
    }
    return { state: firstState(manifest, seed), saved: 0, skipped: [] };
  }

  async #elite(id: string): Promise<Elite | null> {
    const record = await this.#record(id);
    const run = this.#active.get(id);
    if (run) return run.elite && { agent: run.elite, generation: run.training.generation };
    if (!record.checkpoint) return null;
    const known = this.#elites.get(id);
    if (known?.checkpoint === record.checkpoint.name) return known;
    const latest = await this.#parts.runStore.latestCheckpoint(id);
    const bytes = latest?.files.get(ELITE_FILE);
    if (!latest || !bytes) return null;
    const { agent } = decodeAgent(bytes, `${latest.dir}/${ELITE_FILE}`);
    const elite = { agent, generation: latest.commit.generation, checkpoint: latest.name };
    // One is enough: it is asked for again and again while its run is on the screen.
    this.#elites.clear();
    this.#elites.set(id, elite);
    return elite;
  }

  async #summary(record: RunRecord): Promise<RunSummary> {
    const { id, name, state, generation, global_step, best_fitness, created_at, updated_at } = record;
    const run = this.#active.get(id);
    const [algorithm, environment] = await this.#subject(id);
    return {
      id,
      name,
      state: run?.state ?? state,
      algorithm,
      environment,
      ...(run ? progressOf(run) : { generation, global_step, best_fitness }),
      created_at,
      updated_at,
      bytes: await this.#bytes(record),
    };
  }

  /** Algorithm and environment; a run whose manifest is damaged is listed all the same, to be deleted. */
  async #subject(id: string): Promise<readonly [algorithm: string, environment: string]> {
    try {
      const { manifest } = await this.#storedRun(id);
      return [manifest.algorithm.name, manifest.environment.name];
    } catch {
      return ["unknown", "unknown"];
    }
  }

  /** Bytes of a run's checkpoints; its manifest and log are small beside them. */
  async #bytes({ id, checkpoint }: RunRecord): Promise<number> {
    if (!checkpoint) return 0;
    const known = this.#sizes.get(id);
    if (known?.checkpoint === checkpoint.name) return known.bytes;
    const checkpoints = await this.#parts.runStore.listCheckpoints(id);
    const sizes = checkpoints.flatMap(({ commit }) => commit.files.map(({ size }) => size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    this.#sizes.set(id, { checkpoint: checkpoint.name, bytes });
    return bytes;
  }
}

/** @throws SpecError listing every problem; for text, with line and column. */
async function parseInput(input: unknown): Promise<TrainingManifest> {
  const options = { environments: listEnvironments() };
  if (typeof input !== "string") return parseManifestObject(input, options);
  // Loaded only for text: the YAML parser is large.
  const { parseManifestText } = await import("../specs/manifest/manifestText.ts");
  return parseManifestText(input, options);
}

/** The state a run starts with. @throws SpecError for what this build cannot run. */
function firstState(manifest: TrainingManifest, seed: number): TrainingState {
  const env = environmentOf(manifest);
  evolutionOf(manifest, seed);
  return initialState(manifest, initialMembers(manifest, env, seed), env);
}

const warningsOf = (manifest: TrainingManifest): string[] =>
  runWarnings(manifest, environmentOf(manifest).max_episode_steps);
