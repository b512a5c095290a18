/** Runs of a small manifest on a test platform, watched to their end and compared with a local run. */
import { expect } from "vitest";
import { z } from "zod";
import type { PlatformServerOptions } from "../../../platform/src/server/PlatformServer.ts";
import { type JobOptions, RemoteClient } from "../../../src/remote/index.ts";
import type { TrainingDevice } from "../../../src/training/executors.ts";
import { cartPole, GENERATIONS, type Trained, trainedInZip, trainedLocally } from "./cartPole.ts";
import { type StreamedEvent, streamed } from "./client.ts";
import { TestPlatform } from "./platform.ts";

/** How often a worker claimed the run. */
export const claims = (events: readonly StreamedEvent[]): number =>
  events.filter(({ event, data }) => event === "state" && data.state === "running").length;

/** The warnings of a run. */
export const warningsIn = (events: readonly StreamedEvent[]): string[] =>
  events.filter(({ event }) => event === "warning").map(({ data }) => String(data.message));

/** The submitted manifest, and its number of generations. */
export interface KindOfRun {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly generations: number;
  /** Device of the local run. Default: wasm. */
  readonly device?: TrainingDevice;
}

export class TrainedRuns {
  readonly platform: TestPlatform;
  readonly key: string;
  readonly client: RemoteClient;
  readonly #kind: KindOfRun;
  readonly #local: Trained;

  private constructor(platform: TestPlatform, key: string, kind: KindOfRun, local: Trained) {
    this.platform = platform;
    this.key = key;
    this.client = new RemoteClient({ base_url: platform.url, api_key: key });
    this.#kind = kind;
    this.#local = local;
  }

  static async start(
    options: Partial<PlatformServerOptions> = {},
    kind: KindOfRun = { manifest: cartPole, generations: GENERATIONS },
  ): Promise<TrainedRuns> {
    const platform = await TestPlatform.start(options);
    return new TrainedRuns(
      platform,
      await platform.key("admin"),
      kind,
      await trainedLocally(kind.manifest, kind.device),
    );
  }

  /** Submits the run. @param options Job options besides the manifest. @returns its ID. */
  async submit(options: JobOptions = {}): Promise<string> {
    const submitted = await this.client.submitExperiment({ manifest: this.#kind.manifest, ...options });
    return z.string().parse(submitted.experiment_id);
  }

  /** Resolves with the first event of a kind. */
  async firstOf(run: string, kind: string): Promise<void> {
    for await (const { event } of streamed(this.platform, this.key, run)) if (event === kind) return;
    throw new Error(`the run ended without an event "${kind}"`);
  }

  /** Resolves when the run reaches this state. */
  async stateOf(run: string, state: string): Promise<void> {
    for await (const { data } of streamed(this.platform, this.key, run)) if (data.state === state) return;
    throw new Error(`the run ended and was not ${state}`);
  }

  /** All events of a run to its end, over connections that each break after a few events. */
  async watched(run: string): Promise<StreamedEvent[]> {
    const all: StreamedEvent[] = [];
    for (let over = false; !over; ) {
      over = true;
      const after = all.at(-1)?.id ?? 0;
      let count = 0;
      for await (const event of streamed(this.platform, this.key, run, { after })) {
        if (event.id === null) continue;
        all.push(event);
        if (++count < 5) continue;
        over = false;
        break;
      }
    }
    return all;
  }

  /** All stored events of a run to its end, as the library's client sees them over broken connections. */
  async eventsByClient(run: string): Promise<StreamedEvent[]> {
    const all: StreamedEvent[] = [];
    for await (const { seq, event, data } of this.client.watchExperiment(run))
      if (seq !== null) all.push({ id: seq, event, data: { ...data } });
    return all;
  }

  /** Asserts the bits of a local run, one event per generation, and gapless event numbers. */
  async assertWhole(run: string, events: readonly StreamedEvent[]): Promise<void> {
    expect(events.at(-1)).toMatchObject({ event: "state", data: { state: "finished", reason: "max_steps" } });
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    const generations = events
      .filter(({ event }) => event === "generation")
      .map(({ data }) => data.generation);
    expect(generations).toEqual(Array.from({ length: this.#kind.generations }, (_, i) => i + 1));
    const there = await trainedInZip((await this.client.downloadCheckpoint(run)).zip);
    expect([...there.keys()]).toEqual([...this.#local.files.keys()]);
    // Compares names: a diff of the contents would be too long to print.
    const isSame = (name: string): boolean =>
      Buffer.compare(there.get(name) ?? Buffer.of(), this.#local.files.get(name) ?? Buffer.of()) === 0;
    expect([...there.keys()].filter((name) => !isSame(name))).toEqual([]);
    expect(await this.client.downloadElite(run)).toEqual(this.#local.elite);
  }
}
