/** Calls that start, change and end the training of runs, and that check a manifest before it starts. */
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { requireSteering } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { RunFetches } from "../files/RunFetches.ts";
import type { UserEnvironments } from "../files/userEnvironments.ts";
import type { Coordinator } from "../protocol/calls.ts";
import type { MakeExecutor } from "../runs/activeRun.ts";
import type { Runs } from "../runs/Runs.ts";
import { issuesOf, parseInput } from "./parseInput.ts";
import type { RunLauncher } from "./RunLauncher.ts";

interface RunControlParts {
  readonly runs: Runs;
  readonly launcher: RunLauncher;
  readonly fetches: RunFetches;
  readonly environments: UserEnvironments;
  readonly files: FileStore;
  readonly makeExecutor: MakeExecutor;
  readonly makeRehearsal?: MakeExecutor;
  readonly prepareWorker?: () => void;
}

export class RunControl {
  readonly #parts: RunControlParts;
  /** Aborts the trial in progress. */
  #trial: AbortController | null = null;
  /** Runs to rehearse, the first of which is being rehearsed. */
  #expected: TrainingManifest[] = [];
  /** Manifests that were expected before, as text: once is enough for the code to be loaded and compiled. */
  readonly #rehearsed = new Set<string>();

  constructor(parts: RunControlParts) {
    this.#parts = parts;
  }

  readonly calls = {
    check: (text) => issuesOf(text, this.#parts.environments),

    estimate: async (text) => {
      const { files, environments } = this.#parts;
      // The estimate knows every kind of network, so it is loaded only when a manifest is edited.
      const { estimateStart } = await import("./estimateStart.ts");
      return estimateStart(text, { store: files, environments });
    },

    calibrate: (text) => {
      this.#endTrials();
      return this.#try(() => parseInput(text, this.#parts.environments));
    },

    expectRun: async (input) => {
      const { runs, environments, prepareWorker } = this.#parts;
      if (runs.running) return;
      if (input === undefined) return prepareWorker?.();
      const expected = this.#expected;
      const manifest = await parseInput(input, environments);
      const text = JSON.stringify(manifest);
      // A start or a calibration ends what was expected before it.
      if (expected !== this.#expected || this.#rehearsed.has(text)) return;
      this.#rehearsed.add(text);
      expected.push(manifest);
      if (expected.length > 1) return;
      for (let next = expected[0]; next && expected === this.#expected; next = expected[0]) {
        // Starting it tells what is wrong with it.
        await this.#try(async () => next, 0).catch(() => undefined);
        expected.shift();
      }
    },

    start: (manifest, options = {}) => {
      // A trial would take a core from the run.
      this.#endTrials();
      return this.#parts.launcher.start(manifest, options);
    },

    queue: (manifest, options = {}) => this.#parts.launcher.queue(manifest, options),
    extend: (id, max_steps) => this.#parts.launcher.extend(id, max_steps),
    fork: (id, ref, how, manifest) => this.#parts.launcher.fork(id, ref, how, manifest),
    resume: (id) => this.#parts.launcher.resume(id),
    resumeLater: (id) => this.#parts.launcher.resumeLater(id),

    pause: async (id) => {
      await this.#parts.runs.record(id);
      const run = this.#training(id);
      if (!run) throw new Error("This run is not training, so there is nothing to pause.");
      await run.pause();
    },

    stop: async (id) => {
      const { runs, fetches, launcher } = this.#parts;
      const record = await runs.record(id);
      const run = runs.active(id);
      fetches.cancel(id);
      if (launcher.isQueued(id)) await launcher.leaveQueue(id);
      if (run) await run.stop();
      else if (record.state === "running" || record.state === "paused")
        throw new Error("This run is live in another tab; stop it there, or close that tab.");
    },

    steer: async (id, action) => {
      await this.#parts.runs.record(id);
      const run = this.#training(id);
      if (!run) throw new Error("This run is not training, so it cannot be steered; resume it first.");
      return run.steer(requireSteering(action));
    },

    deleteRun: (id) => this.#delete(id),
    discard: (id) => this.#delete(id),
  } satisfies Partial<Coordinator>;

  #endTrials(): void {
    this.#expected = [];
    this.#trial?.abort();
  }

  /** As `calibrate`; a trial ends the one before. @param measured_ms Milliseconds of training. */
  async #try(read: () => Promise<TrainingManifest>, measured_ms?: number): Promise<number | null> {
    const { runs, launcher, files, makeExecutor, makeRehearsal = makeExecutor } = this.#parts;
    this.#trial?.abort();
    if (runs.running) return null;
    const trial = new AbortController();
    this.#trial = trial;
    const manifest = await read();
    await workloadOf(manifest).runs.loadPlace?.(manifest, files);
    const { calibrate } = await import("./calibrate.ts");
    const { modules } = launcher;
    const { signal } = trial;
    const rate = await calibrate(manifest, { makeExecutor: makeRehearsal, modules, signal, measured_ms });
    return rate === null ? null : rate * launcher.workersFor(manifest);
  }

  /** The run, while it trains or is paused. */
  #training(id: string) {
    const run = this.#parts.runs.active(id);
    return run?.state === "running" || run?.state === "paused" ? run : undefined;
  }

  async #delete(id: string): Promise<void> {
    await this.#parts.runs.record(id);
    await this.#parts.launcher.delete(id);
  }
}
