import type { SpecIssue } from "../../../../src/manifests/index.ts";
import type { Connection } from "../../../../src/ui/client/Connection.ts";
import { callsBy } from "../../../../src/workers/pages.ts";
import {
  COORDINATOR_CALLS,
  type KeptModel,
  type RunEvent,
  type StartOptions,
} from "../../../../src/workers/protocol.ts";
import { FakeEnvironments } from "../../support/FakeEnvironments.ts";
import { FakeRun } from "../../support/FakeRun.ts";
import { fakeKeeping } from "../../support/fakeKeeping.ts";
import { fakeKernels } from "../../support/fakeKernels.ts";

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  "CartPole-v1": [20, 500],
  "Pendulum-v1": [-1500, -150],
  "Acrobot-v1": [-500, -80],
  "MountainCar-v0": [-200, -105],
};

type Mapping = Record<string, unknown>;
const text = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback);
const mapping = (value: unknown): Mapping =>
  typeof value === "object" && value !== null ? { ...value } : {};
const count = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);

export interface FakeOptions {
  /** Milliseconds between quarters of a generation; 0 for runs that move only by `tick`. */
  readonly interval?: number;
}

/** A coordinator in this thread that only pretends to train. */
export class FakeCoordinator implements Connection {
  readonly runs = new Map<string, FakeRun>();
  /** The manifests that `start` was given. */
  readonly started: unknown[] = [];
  /** The options that `start` was given. */
  readonly startedWith: (StartOptions | undefined)[] = [];
  /** The generations that `generations` was asked for, first and last. */
  readonly paged: (readonly [number, number])[] = [];
  /** The last generation whose report is lost. */
  lost = 0;
  /** What `check` finds in texts. */
  issues: readonly SpecIssue[] = [];
  /** What calibrations find, steps a second. */
  rate: number | null = null;
  /** Set to let the next call reject with it. */
  nextError: Error | null = null;
  models: readonly KeptModel[] = [];
  readonly environments = new FakeEnvironments();
  storageKind: "opfs" | "memory" = "opfs";
  /** Bytes that the site stores. */
  used = 48_000_000;
  stored = 47_000_000;
  /** What its runs pretend to train on, and whether that can tell the time of programs. */
  device: "wasm" | "webgpu" = "wasm";
  timed = true;
  readonly coordinator: Connection["coordinator"];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  readonly #lost = new Set<(reason: Error) => void>();
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ interval = 0 }: FakeOptions = {}) {
    if (interval > 0) this.#timer = setInterval(() => this.tick(), interval);
    const run = (id: string): FakeRun => {
      if (this.nextError !== null) {
        const error = this.nextError;
        this.nextError = null;
        throw error;
      }
      const found = this.runs.get(id);
      if (found === undefined) throw new Error(`There is no run ${id} in this browser.`);
      return found;
    };
    this.coordinator = {
      ...callsBy(COORDINATOR_CALLS, async (name) => {
        throw new Error(`The fake coordinator does not answer "${name}".`);
      }),
      useModules: async () => undefined,
      setVisible: async () => undefined,
      listRuns: async () => [...this.runs.values()].map((entry) => entry.summary()),
      manifests: async () =>
        Object.fromEntries([...this.runs.values()].map(({ options }) => [options.id, options.manifest])),
      snapshot: async (id) => run(id).snapshot(),
      generations: async (id, first, last) => {
        this.paged.push([first, last]);
        return run(id).generations.filter(
          ({ generation }) => generation >= first && generation <= last && generation > this.lost,
        );
      },
      estimate: async () => ({
        algorithm: "DQN",
        environment: "CartPole-v1",
        steps: 240_000,
        bytes: 3_000_000,
        population_bytes: 1_000_000,
        replay_bytes: 1_500_000,
      }),
      calibrate: async () => this.rate,
      check: async () => this.issues,
      start: async (manifest, options) => {
        if (this.nextError !== null) run("");
        this.started.push(manifest);
        this.startedWith.push(options);
        return this.add(mapping(manifest), options).options.id;
      },
      pause: async (id) => run(id).setState("paused"),
      resume: async (id) => run(id).setState("running"),
      resumeLater: async (id) => run(id).setState("running"),
      repeat: async (id, seeds) => {
        const { options } = run(id);
        const first = run(id);
        first.group = options.name;
        first.edit({});
        for (let number = 1; number < seeds; number++) {
          const seed = options.startedWith.seed + number;
          const added = this.add(options.manifest, { seed, name: `${options.name}, seed ${seed}` });
          added.group = options.name;
          added.waiting = true;
          added.state = "stopped";
          added.edit({});
        }
        return options.name;
      },
      sweep: async (manifest, { seeds, settings }) => {
        if (this.nextError !== null) run("");
        const names = settings.flatMap((setting) => (seeds ?? [42]).map((seed) => ({ setting, seed })));
        for (const { setting, seed } of names)
          this.add(manifest, { seed, name: `${JSON.stringify(setting)}, seed ${seed}` });
        return names.length;
      },
      stop: async (id) => run(id).setState("stopped"),
      deleteRun: async (id) => {
        run(id);
        this.runs.delete(id);
      },
      downloadElite: async (id) => ({
        name: `${run(id).options.name}.safetensors`,
        type: "application/octet-stream",
        bytes: new Uint8Array([1, 2, 3]),
      }),
      downloadPolicy: async (id) => ({
        name: `${run(id).options.name}.onnx`,
        type: "application/octet-stream",
        bytes: new Uint8Array([4, 5, 6]),
      }),
      downloadMetrics: async (id) => ({
        name: `${run(id).options.name}.csv`,
        type: "text/csv",
        bytes: new Uint8Array([7]),
      }),
      downloadEvents: async (id) => ({
        name: `events.out.tfevents.1.${run(id).options.name}`,
        type: "application/octet-stream",
        bytes: new Uint8Array([8]),
      }),
      kernels: async (id) => {
        const { state, generations } = run(id);
        if (state !== "running" && state !== "paused") return null;
        const kernels = fakeKernels(this.device, generations.length);
        return this.timed ? kernels : kernels.map((one) => ({ ...one, timed_runs: 0, time_ms: null }));
      },
      listModels: async () => this.models,
      addModel: async (name, files) => {
        if (this.nextError !== null) run("");
        const bytes = files.reduce((sum, { content }) => sum + content.size, 0);
        const model = { name, path: `models/${name}`, bytes };
        this.models = [...this.models, model];
        return { model, warnings: [] };
      },
      deleteModel: async (name) => {
        this.models = this.models.filter((model) => model.name !== name);
      },
      ...this.environments.calls,
      ...fakeKeeping(this.runs, run),
      queue: async (manifest, options) => this.add(mapping(manifest), options).options.id,
      storedBytes: async () => this.stored,
      storage: async () => ({
        kind: this.storageKind,
        used: this.used,
        quota: 12_000_000_000,
        report: [],
        runs: [...this.runs.keys()].map((id) => ({
          id,
          bytes: { checkpoints: 160_000, log: 20_000, elites: 0, populations: 0, manifest: 1000 },
        })),
        persisted: null,
      }),
    };
  }

  /** Adds a run from a manifest; text is not read, the fake then trains CartPole. */
  add(manifest: Mapping, { name, seed = 42, device = "auto" }: StartOptions = {}): FakeRun {
    const algorithm = text(mapping(manifest.algorithm).name, "DQN");
    const environment = text(mapping(manifest.environment).name, "CartPole-v1");
    const training = mapping(manifest.training);
    const created = new FakeRun({
      id: `run-${this.runs.size + 1}`,
      name: name ?? `${algorithm} ${environment}`,
      manifest,
      startedWith: { seed, device },
      algorithm: algorithm,
      environment,
      population: count(training.pop_size, 4),
      evoSteps: count(training.evo_steps, 4000),
      totalSteps: count(training.max_steps, 60_000),
      range: RANGES[environment] ?? [0, 1],
      seed: this.runs.size + 1,
      emit: (event) => {
        for (const listener of this.#listeners) listener(event);
      },
    });
    this.runs.set(created.options.id, created);
    return created;
  }

  tick(): void {
    for (const run of this.runs.values()) run.tick();
  }

  onEvent(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onLost(listener: (reason: Error) => void): () => void {
    this.#lost.add(listener);
    return () => this.#lost.delete(listener);
  }

  /** As if the worker had crashed. */
  lose(reason: string): void {
    for (const listener of this.#lost) listener(new Error(reason));
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
