/** Calls that start, change and end the training of runs, and that check a manifest before it starts. */
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
}

export class RunControl {
  readonly #parts: RunControlParts;
  /** Aborts the calibration in progress. */
  #calibration: AbortController | null = null;

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

    calibrate: async (text) => {
      const { runs, launcher, environments, files, makeExecutor } = this.#parts;
      this.#calibration?.abort();
      if (runs.running) return null;
      const calibration = new AbortController();
      this.#calibration = calibration;
      const manifest = await parseInput(text, environments);
      await workloadOf(manifest).runs.loadPlace?.(manifest, files);
      const { calibrate } = await import("./calibrate.ts");
      const { modules } = launcher;
      const rate = await calibrate(manifest, { makeExecutor, modules, signal: calibration.signal });
      return rate === null ? null : rate * launcher.workersFor(manifest);
    },

    start: (manifest, options = {}) => {
      // The calibration's worker would take a core from the run.
      this.#calibration?.abort();
      return this.#parts.launcher.start(manifest, options);
    },

    queue: (manifest, options = {}) => this.#parts.launcher.queue(manifest, options),
    compare: (id) => this.#parts.launcher.compare(id),
    extend: (id, max_steps) => this.#parts.launcher.extend(id, max_steps),
    fork: (id, ref, how, manifest) => this.#parts.launcher.fork(id, ref, how, manifest),
    resume: (id) => this.#parts.launcher.resume(id),

    pause: async (id) => {
      await this.#parts.runs.record(id);
      const run = this.#training(id);
      if (!run) throw new Error("This run is not training, so there is nothing to pause.");
      await run.pause();
    },

    stop: async (id) => {
      const { runs, fetches } = this.#parts;
      const record = await runs.record(id);
      const run = runs.active(id);
      fetches.cancel(id);
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
