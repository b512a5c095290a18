import { z } from "zod";
import { requireAddress } from "../../http/access.ts";
import { algorithmDefinition, manifestToObject, type TrainingManifest } from "../../manifests/index.ts";
import { reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { TRACKER_SERVICE_NAMES, TRACKER_SERVICES, type Trackers } from "../../tracking/clients.ts";
import type { TrainingEvent, TrainingObserver } from "../../tracking/observer.ts";
import { type RunState, rowShapeOf } from "../../training/loop.ts";
import type { MakeTrackers, TrackerOptions } from "../../training/plan.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { TrackerChoice } from "../protocol/runs.ts";

/** The tracker named when a run starts: validation, and conversion to training options. */
const schema = z.strictObject({
  service: z.enum(TRACKER_SERVICE_NAMES),
  address: z.string(),
  key: z.string(),
});

/** @throws RangeError naming the problem, without revealing the key. */
export function requireTrackerChoice(given: unknown): TrackerChoice {
  const { success, data, error } = schema.safeParse(given);
  if (success) return { ...data, address: requireAddress(data.address.trim(), "tracker.address") };
  const [issue] = error.issues;
  throw new RangeError(`tracker.${issue?.path.join(".")}: ${issue?.message}`);
}

/** @param run The run's name and its id on the server, by which `resume` finds it again. */
const trackerOptionsOf = (
  { service, address, key }: TrackerChoice,
  run: { readonly id: string; readonly name: string },
): TrackerOptions => ({
  wb: true,
  tracker_api_key: key === "" ? null : key,
  tracker_kwargs: {
    tracker: service,
    [TRACKER_SERVICES[service].setting]: address,
    ...run,
    resume: "allow",
  },
});

interface TrackedRun {
  readonly id: string;
  readonly manifest: TrainingManifest;
  readonly seed: number;
  readonly state: RunState;
}

/**
 * Trackers of the runs that were started in this tab. Kept only in memory because the options contain keys.
 */
export class TrackedRuns {
  readonly #files: FileStore;
  readonly #tracked = new Map<string, { readonly tracker: TrackerChoice; readonly name: string }>();

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** @throws TrackerRefusedError if the server rejects the key or the page's origin. */
  async begin(run: TrackedRun, tracker: TrackerChoice, name: string): Promise<RunTrackers> {
    const trackers = new RunTrackers();
    await this.#open(trackers, run, tracker, name);
    this.#tracked.set(run.id, { tracker, name });
    return trackers;
  }

  /** Stores the tracker of a run that starts later. */
  plan(id: string, tracker: TrackerChoice, name: string): void {
    this.#tracked.set(id, { tracker, name });
  }

  /**
   * Trackers of a resumed run, or null if it had none in this tab. If a tracker refuses, the
   * run continues without it.
   */
  async goOn(run: TrackedRun): Promise<RunTrackers | null> {
    const known = this.#tracked.get(run.id);
    if (!known) return null;
    const trackers = new RunTrackers();
    try {
      await this.#open(trackers, run, known.tracker, known.name);
    } catch (error) {
      trackers.warn(`${reasonOf(error)}. The run continues untracked.`);
    }
    return trackers;
  }

  /** Call this for a run that was deleted. */
  forget(id: string): void {
    this.#tracked.delete(id);
  }

  async #open(
    trackers: RunTrackers,
    { id, manifest, seed, state }: TrackedRun,
    tracker: TrackerChoice,
    name: string,
  ): Promise<void> {
    const { algorithm, environment } = manifest;
    // Loaded on demand, so that the worker's start does not load the tracker clients.
    const { trackersOf } = await import("./parts/trackers.ts");
    const make = trackersOf(trackerOptionsOf(tracker, { id, name }), {
      algorithm: algorithm.name,
      environment: environment.name,
      multi_agent: algorithmDefinition(algorithm.name).multi_agent,
      config: manifestToObject(manifest) as Readonly<Record<string, unknown>>,
    });
    const { members } = state;
    const shape = rowShapeOf(members, workloadOf(manifest).runs.prepare(manifest, seed, members.length));
    if (make) await trackers.open(make, { store: this.#files, shape, state });
  }
}

/**
 * A run's trackers. They are opened before the run starts, so their warnings are queued until
 * it can show them.
 */
export class RunTrackers implements TrainingObserver {
  readonly #waiting: string[] = [];
  #tell: (message: string) => void = (message) => void this.#waiting.push(message);
  #trackers: Trackers | null = null;

  /** @throws TrackerRefusedError if the run must not start without the trackers. */
  async open(make: MakeTrackers, context: Omit<Parameters<MakeTrackers>[0], "warn">): Promise<void> {
    this.#trackers = await make({ ...context, warn: (message) => this.warn(message) });
    await this.#trackers.open();
  }

  warn(message: string): void {
    this.#tell(message);
  }

  /** Forwards queued and future warnings to `tell`. */
  tellTo(tell: (message: string) => void): void {
    this.#tell = tell;
    for (const message of this.#waiting.splice(0)) tell(message);
  }

  on(event: TrainingEvent): void {
    this.#trackers?.on(event);
  }

  /** Sends the remaining rows, within 30 s. */
  async close(end: { readonly ok: boolean }): Promise<void> {
    await this.#trackers?.close(end);
  }
}
