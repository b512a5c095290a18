/** Starts and resumes runs. One run trains at a time. */
import type { TrainingManifest } from "../../manifests/index.ts";
import { serialiser } from "../../storage/files.ts";
import { type FileStore, type RunRecord, sha256Hex } from "../../storage/index.ts";
import { EvolutionTally } from "../../tracking/history.ts";
import { resolveDevice } from "../../training/executors.ts";
import { encodeRun, globalStep, type RunState, startOf } from "../../training/loop.ts";
import { seedOf } from "../../training/plan.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { Models } from "../files/Models.ts";
import type { RunFetches } from "../files/RunFetches.ts";
import { defaultName, pinnedManifest, type StoredRun, storeRun } from "../files/storedRun.ts";
import type { UserEnvironments } from "../files/userEnvironments.ts";
import type { StartOptions } from "../protocol/runs.ts";
import type { AgentRef } from "../protocol/stored.ts";
import { ActiveRun, type MakeExecutor } from "../runs/activeRun.ts";
import type { KeptAgents } from "../runs/KeptAgents.ts";
import { allReports } from "../runs/pastReports.ts";
import type { Runs } from "../runs/Runs.ts";
import { type HistoryEvent, RunHistory } from "../runs/runHistory.ts";
import { lastState, populationOf, seededState } from "../runs/runStates.ts";
import { stepsTaken } from "../runs/runSteps.ts";
import { type RunTrackers, requireTrackerChoice, TrackedRuns } from "../runs/TrackedRuns.ts";
import { parseInput, stagesOf } from "./parseInput.ts";
import { requireName, withEnding } from "./RunEdits.ts";
import { RunQueue, type WaitingRun } from "./RunQueue.ts";
import { RunStages } from "./RunStages.ts";

const FORKED = " (fork)";
const WAITS_FOR_DATA = "It is waiting for its data set.";

/** A browser does not report why a tab ended, and sets no separate memory limit for a worker. */
const MAY_HAVE_FILLED =
  "The tab ended while this run trained. Its user-written environment may have used up all memory: check for lists that keep growing.";

/** The objects that the launcher of runs uses. */
interface LauncherParts {
  readonly runs: Runs;
  readonly agents: KeptAgents;
  readonly files: FileStore;
  readonly models: Models;
  readonly environments: UserEnvironments;
  readonly fetches: RunFetches;
  readonly makeExecutor: MakeExecutor;
  /** @throws Error that says what to do, if this machine has no GPU to train on. */
  readonly requireGpu: () => Promise<unknown>;
  /** Number of logical processors. */
  readonly cores: number;
  readonly now: () => number;
}

/** A run before its first launch. */
interface NewRun {
  readonly manifest: TrainingManifest;
  readonly stored: StoredRun;
  readonly state: RunState;
  readonly name: string;
  readonly options: StartOptions;
  /** Shown when the run trains. */
  readonly warnings: readonly string[];
}

/** The inputs of a launch. */
interface Launch {
  readonly id: string;
  readonly manifest: TrainingManifest;
  readonly stored: StoredRun;
  readonly state: RunState;
  readonly history: RunHistory;
  /** Generation of the newest checkpoint; 0 if there is none. */
  readonly saved: number;
  readonly trackers: RunTrackers | null;
  /** Reports of the generations before the start (default: none). */
  readonly tally?: EvolutionTally;
}

export class RunLauncher {
  readonly #parts: LauncherParts;
  readonly #serially = serialiser();
  readonly #tracked: TrackedRuns;
  /** Module URLs that compute workers import before training. */
  readonly modules: string[] = [];
  #visible = true;
  readonly #queue: RunQueue;
  readonly #stages: RunStages;

  constructor(parts: LauncherParts) {
    this.#parts = parts;
    this.#tracked = new TrackedRuns(parts.files);
    this.#queue = new RunQueue({
      runs: parts.runs,
      fetches: parts.fetches,
      alone: (work) => this.alone(work),
      reopen: (record) => this.#reopen(record, undefined),
    });
    this.#stages = new RunStages({
      ...parts,
      keep: (manifest, options, reason) =>
        this.alone(async () => this.#keepForLater(await this.#newRun(manifest, options), reason)),
      add: (id) => this.alone(() => this.#queue.add(id)),
      startNext: () => this.#queue.startNext(),
    });
  }

  /** A visible tab leaves one core, and the GPU between slices of work, to the page. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    for (const run of this.#parts.runs.allActive) run.setVisible(visible, this.workersFor(run.manifest));
  }

  async start(input: unknown, options: StartOptions): Promise<string> {
    await this.#parts.runs.recover();
    const stages = await stagesOf(input);
    if (stages) return this.#stages.start(stages, options, (first, own) => this.start(first, own));
    return this.alone(async () => {
      const run = await this.#newRun(input, options);
      this.#requireNoneRunning();
      if (await this.#parts.fetches.isNeeded(run.manifest)) {
        const id = await this.#keepForLater(run, WAITS_FOR_DATA);
        this.#queue.takeTurn(id);
        return id;
      }
      const { manifest, stored } = run;
      const { state, warnings } = await startOf({
        definition: workloadOf(manifest),
        manifest,
        seed: stored.seed,
        store: () => this.#parts.files,
      });
      return this.#begin({ ...run, state, warnings: [...warnings, ...run.warnings] });
    });
  }

  /** The state with the data that its run learns from, if any. */
  async #withData(
    state: RunState,
    manifest: TrainingManifest,
    path: string | null = null,
  ): Promise<{ readonly state: RunState; readonly warnings: readonly string[] }> {
    const whole = await workloadOf(manifest).runs.withData?.(state, manifest, path, this.#parts.files);
    return whole ?? { state, warnings: [] };
  }

  /** Loads what planning a run needs. @throws Error naming the field if something is missing. */
  async require(manifest: TrainingManifest): Promise<void> {
    await this.#parts.models.require(manifest);
    await workloadOf(manifest).runs.loadPlace?.(manifest, this.#parts.files);
  }

  /** The parts of a new run, all of them checked. */
  async #newRun(input: unknown, options: StartOptions): Promise<Omit<NewRun, "state">> {
    const asked = resolveDevice(options.device ?? "auto");
    if (options.tracker !== undefined) requireTrackerChoice(options.tracker);
    const name = options.name === undefined ? null : requireName(options.name);
    const manifest = pinnedManifest(await parseInput(input, this.#parts.environments));
    await this.require(manifest);
    const { runs } = workloadOf(manifest);
    const { device, notice } = runs.deviceOf(manifest, asked);
    // If a GPU was requested by name and there is none, this throws before anything is stored.
    if (device === "webgpu") await this.#parts.requireGpu();
    return {
      manifest,
      stored: storeRun(manifest, seedOf(manifest, options.seed), device),
      name: name ?? defaultName(manifest),
      options,
      warnings: [...(notice === null ? [] : [notice]), ...runs.warnings(manifest)],
    };
  }

  async resume(id: string): Promise<void> {
    const { runs } = this.#parts;
    const record = await runs.record(id);
    if (!runs.active(id)) {
      this.#requireNoneRunning();
      if (!(await this.#queue.fetched(id))) return;
    }
    await this.alone(async () => {
      const run = runs.active(id);
      if (run?.state === "running") return;
      this.#requireNoneRunning();
      if (run?.state === "paused") await run.resume();
      else await this.#reopen(record, run);
    });
  }

  /** Starts a run at once, or when the runs before it have ended. Returns its id. */
  async queue(input: unknown, options: StartOptions): Promise<string> {
    const { runs } = this.#parts;
    await runs.recover();
    if (!runs.running && this.#queue.isEmpty) return this.start(input, options);
    const stages = await stagesOf(input);
    if (stages) return this.#stages.start(stages, options, (first, own) => this.queue(first, own));
    return this.alone(async () => {
      const id = await this.#keepForLater(
        await this.#newRun(input, options),
        "It is waiting for the run that is training now.",
      );
      await this.#queue.add(id);
      return id;
    });
  }

  /** Resumes a stored run when the runs before it have ended. */
  async resumeLater(id: string): Promise<void> {
    const { runs } = this.#parts;
    const { state } = await runs.record(id);
    if (state === "finished")
      throw new Error("This run is finished; extend it to train longer, or start a new one.");
    if (runs.active(id)) return this.resume(id);
    await this.alone(() => this.#queue.add(id));
    if (!runs.running) this.#queue.startNext();
  }

  /** Takes a run out of the queue, if it waits there. */
  async leaveQueue(id: string): Promise<void> {
    await this.alone(() => this.#queue.leave(id));
  }

  /** Goes on with the queue of a tab that is gone. */
  async takeOver(): Promise<void> {
    await this.alone(() => this.#queue.takeOver());
    if (!this.#parts.runs.running) this.#queue.startNext();
  }

  /** Stores a run that trains later. Returns its id. */
  async #keepForLater(
    { name, stored, options, warnings }: Omit<NewRun, "state">,
    reason: string,
    start: WaitingRun["start"] = null,
  ): Promise<string> {
    const id = await this.#queue.keep({ name, group: options.group, stored, warnings, start }, reason);
    if (options.tracker) this.#tracked.plan(id, requireTrackerChoice(options.tracker), name);
    return id;
  }

  /** Resumes an ended run with a new step limit, `max_steps`. */
  async extend(id: string, max_steps: number): Promise<void> {
    const { runs } = this.#parts;
    const record = await runs.record(id);
    if (!runs.active(id)) {
      this.#requireNoneRunning();
      if (!(await this.#queue.fetched(id))) return;
    }
    await this.alone(async () => {
      const run = runs.active(id);
      if (run?.state === "running" || run?.state === "paused")
        throw new Error("This run has not ended yet; stop it first, or fork it with a larger max_steps.");
      this.#requireNoneRunning();
      const taken = await stepsTaken(runs, record);
      if (!(max_steps > taken))
        throw new Error(
          `max_steps: found ${max_steps}, allowed more than ${taken}, the steps that its members have already taken.`,
        );
      await runs.catalog.trained(id, max_steps);
      await this.#reopen(record, run, max_steps);
    });
  }

  /** Creates a new run from an agent of another run. Returns its id. */
  async fork(id: string, ref: AgentRef, how: "resume" | "weights", input: unknown): Promise<string> {
    const { runs, agents } = this.#parts;
    const record = await runs.record(id);
    return this.alone(async () => {
      this.#requireNoneRunning();
      const { manifest: own, seed, device } = await runs.catalog.stored(id);
      // Loads the source run's own copy of its environment, which may be older than the stored one.
      await runs.manifest(id);
      const manifest = pinnedManifest(await parseInput(input ?? own, this.#parts.environments));
      await this.require(manifest);
      const begun =
        how === "resume"
          ? await populationOf(runs, id, ref, manifest)
          : await seededState(agents, id, ref, manifest, seed);
      const { runs: kind, files } = workloadOf(manifest);
      const choice = kind.deviceOf(manifest, device);
      const fork = {
        manifest,
        stored: storeRun(manifest, seed, choice.device),
        name: withEnding(record.name, FORKED),
        options: {},
        warnings: choice.notice === null ? [] : [choice.notice],
      };
      // The initial state exists nowhere else, so it is saved as a checkpoint.
      const saved = (state: RunState) => encodeRun(files, { state, seed, manifest: fork.stored.manifest });
      if (await this.#parts.fetches.isNeeded(manifest)) {
        const start = { state: begun, files: saved(begun) };
        const waiting = await this.#keepForLater(fork, WAITS_FOR_DATA, start);
        this.#queue.takeTurn(waiting);
        return waiting;
      }
      const path = how === "resume" ? "the population" : null;
      const { state, warnings } = await this.#withData(begun, manifest, path);
      return this.#begin({ ...fork, state, warnings: [...fork.warnings, ...warnings] }, saved(state));
    });
  }

  /** Whether a run starts when the runs before it have ended. */
  isQueued(id: string): boolean {
    return this.#queue.has(id);
  }

  /** Runs `work` while no other run is started, resumed or deleted. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#serially("launch", work);
  }

  /** Deletes a run, live or not. */
  async delete(id: string): Promise<void> {
    const { runs, fetches } = this.#parts;
    fetches.cancel(id);
    await this.alone(async () => {
      await runs.active(id)?.discard();
      await runs.store.deleteRun(id);
      runs.forget(id);
      this.#queue.forget(id);
      this.#tracked.forget(id);
    });
  }

  /**
   * Stores a new run and starts training. Returns its id.
   * @param files A checkpoint of the initial state, if it does not follow from the manifest.
   */
  async #begin(
    { manifest, stored, state, name, options, warnings }: NewRun,
    files?: ReadonlyMap<string, Uint8Array>,
  ): Promise<string> {
    const { store } = this.#parts.runs;
    const { id } = await store.createRun({ name, manifest: stored });
    if (options.group !== undefined) await store.updateRun(id, { group: options.group });
    let trackers: RunTrackers | null = null;
    try {
      const { generation } = state;
      if (files)
        await store.saveCheckpoint(id, files, { generation, global_step: globalStep(state), spec_hash: "" });
      if (options.tracker) {
        const tracker = requireTrackerChoice(options.tracker);
        trackers = await this.#tracked.begin({ id, manifest, seed: stored.seed, state }, tracker, name);
      }
      const history = new RunHistory();
      const run = await this.#launch({ id, manifest, stored, state, history, saved: generation, trackers });
      await this.#parts.runs.tellSummary(id);
      for (const message of warnings) run.notice("warning", message);
      return id;
    } catch (error) {
      this.#tracked.forget(id);
      await trackers?.close({ ok: false });
      await store.deleteRun(id);
      throw error;
    }
  }

  /** Number of workers for a run; a visible tab leaves one core to the page. */
  workersFor({ training }: TrainingManifest): number {
    const { cores } = this.#parts;
    return Math.max(1, Math.min(training.pop_size, this.#visible ? cores - 1 : cores));
  }

  #requireNoneRunning(): void {
    const { running } = this.#parts.runs;
    if (!running) return;
    const { algorithm, environment } = running.manifest;
    throw new Error(
      `${algorithm.name} on ${environment.name} is training already; pause or stop the running one first.`,
    );
  }

  async #launch(launch: Launch): Promise<ActiveRun> {
    const { id, manifest, stored, state, history, saved, trackers, tally } = launch;
    const { runs, makeExecutor, now } = this.#parts;
    const text = JSON.stringify(stored.manifest);
    const run = new ActiveRun({
      id,
      definition: workloadOf(manifest),
      manifest,
      stored: stored.manifest,
      specHash: await sha256Hex(new TextEncoder().encode(text)),
      seed: stored.seed,
      start: state,
      history,
      saved,
      trackers,
      ...(tally && { tally }),
      store: runs.store,
      makeExecutor,
      modules: this.modules,
      device: stored.device,
      workers: this.workersFor(manifest),
      visible: this.#visible,
      now,
      emit: (event) => {
        runs.emit(event);
        // Its size, its trend and its checkpoints have changed.
        if (event.kind === "checkpoint") void runs.tellSummary(id).catch(() => undefined);
      },
    });
    runs.hold(run);
    run.start(
      async () => {
        await runs.tellSummary(id);
        await this.#stages.queueAfter(id);
        this.#queue.startNext();
      },
      async () => {
        runs.release(run);
        await runs.store.releaseRun(id);
        await runs.tellSummary(id);
      },
    );
    return run;
  }

  /** Resumes from the ended run in memory, else from the last checkpoint, else from the beginning. */
  async #reopen(
    record: RunRecord,
    ended: ActiveRun | undefined,
    max_steps = record.max_steps,
  ): Promise<void> {
    const { runs } = this.#parts;
    const { store, catalog } = runs;
    const { id } = record;
    if (record.state === "finished" && max_steps === record.max_steps)
      throw new Error("This run is finished; extend it to train longer, or start a new one.");
    await ended?.letGo();
    this.#queue.started(id);
    await store.acquireRun(id);
    let trackers: RunTrackers | null = null;
    try {
      const stored = await catalog.stored(id);
      const manifest = await catalog.trained(id, max_steps);
      // If a run's own copy of its environment was lost with its manifest file, the stored module
      // may be the same.
      await this.#parts.environments.require(manifest);
      await this.require(manifest);
      const { state, saved, skipped, warnings } = await lastState(
        { runStore: store, files: this.#parts.files },
        record,
        manifest,
        stored.seed,
      );
      const history = ended?.history ?? (await catalog.readHistory(id));
      const begun = saved === 0 && (await this.#stages.stateOf(record, manifest, stored.seed));
      const from = ended ? ended.training : begun || state;
      const resumed: HistoryEvent = { type: "resumed", generation: from.generation };
      const events = [...(ended?.unwritten ?? []), resumed];
      history.written(events, await store.appendLog(id, events));
      history.add(resumed);
      await store.fame.cut(id, from.generation);
      await store.populations.cut(id, from.generation);
      await store.updateRun(id, {
        state: "running",
        reason: null,
        queued: null,
        end: null,
        champion: null,
        generation: from.generation,
        global_step: globalStep(from),
        best_fitness: history.best,
        ...(max_steps === undefined ? {} : { max_steps }),
      });
      trackers = await this.#tracked.goOn({ id, manifest, seed: stored.seed, state: from });
      const tally = new EvolutionTally();
      for await (const report of allReports(store, id, history)) tally.add(report);
      const launch = { id, manifest, stored, state: from, history, saved, trackers, tally };
      const run = await this.#launch(launch);
      runs.emit({ run: id, kind: "state", state: "running", failure: null, end: null });
      for (const message of [...this.#queue.takeWarnings(id), ...warnings]) run.notice("warning", message);
      for (const message of skipped) run.notice("warning", `A checkpoint was skipped. ${message}`);
      if (stored.user_module && record.state === "interrupted") run.notice("warning", MAY_HAVE_FILLED);
    } catch (error) {
      await trackers?.close({ ok: false });
      await store.releaseRun(id);
      throw error;
    }
  }
}
