/** A fake platform with one run, which the test controls. */
import { manifestToObject, parseManifestObject } from "../../../src/manifests/index.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { type Answer, type Asked, type OpenConnection, type Platform, TAKEN } from "../../remote/platform.ts";

export interface TaughtCheckpoint {
  readonly generation: number;
  readonly global_step: number;
  readonly fitness: number | null;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

type State = "queued" | "running" | "paused" | "stopped" | "finished" | "failed";

const CREATED = "2026-11-22T08:00:00.000Z";

export class TaughtPlatform {
  readonly #manifest: object;
  readonly #seed: number;
  /** Text of each event, from event 0. */
  readonly #events: string[] = [];
  readonly #checkpoints: TaughtCheckpoint[] = [];
  readonly #open = new Set<OpenConnection>();
  #state: State = "queued";
  #generation = 0;
  #global_step = 0;
  /** Number of event streams that have been opened. */
  opened = 0;
  /** Whether streams are refused. */
  away = false;
  #closed: () => void = () => undefined;

  constructor(platform: Platform, manifest: object, seed: number) {
    this.#manifest = manifestToObject(parseManifestObject(manifest));
    this.#seed = seed;
    platform.answer((asked) => this.#answer(asked));
    this.state("queued");
  }

  /** Number of open event streams. */
  get streams(): number {
    return this.#open.size;
  }

  /** Resolves when the next stream is closed. */
  nextClosed(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
    });
  }

  tell(event: string, data: object): void {
    const text = `id: ${this.#events.length + 1}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#events.push(text);
    for (const connection of this.#open) connection.write(text);
  }

  state(state: State, reason: string | null = null): void {
    this.#state = state;
    this.tell("state", { at: 1, state, reason });
    if (this.#isOver()) for (const connection of this.#open) connection.end();
  }

  generation(report: GenerationReport): void {
    this.#generation = report.generation;
    this.#global_step = report.global_step;
    this.tell("generation", report);
  }

  checkpoint(checkpoint: TaughtCheckpoint): void {
    this.#checkpoints.push(checkpoint);
    const { generation, global_step } = checkpoint;
    this.tell("checkpoint", { at: Date.parse(CREATED), generation, global_step });
  }

  /** Breaks all open streams. */
  cut(): void {
    for (const connection of this.#open) connection.cut();
  }

  #isOver(): boolean {
    return ["stopped", "finished", "failed"].includes(this.#state);
  }

  #experiment() {
    return {
      ...TAKEN,
      project: "default",
      state: this.#state,
      reason: null,
      algorithm: "DQN",
      environment: "CartPole-v1",
      resource_id: "cpu",
      num_nodes: null,
      seed: this.#seed,
      generation: this.#generation,
      global_step: this.#global_step,
      best_fitness: null,
      has_elite: this.#checkpoints.length > 0,
      created_at: CREATED,
      started_at: null,
      ended_at: null,
    };
  }

  #answer({ route, headers }: Asked): Answer {
    const run = `/v1/runs/${TAKEN.experiment_id}`;
    const file = /\/checkpoints\/generation_(\d+)\/(.+)$/.exec(route);
    if (file) {
      const found = this.#checkpoints.find(({ generation }) => generation === Number(file[1]));
      const body = found?.files.get(file[2] ?? "");
      return body ? { body, headers: { "Content-Type": "application/octet-stream" } } : { status: 404 };
    }
    switch (route) {
      case `GET ${run}`:
        return { data: { ...this.#experiment(), manifest: this.#manifest } };
      case "GET /api/cli/v1/experiments/list":
        return { data: [this.#experiment()] };
      case "GET /api/cli/v1/experiments/jobs/checkpoints":
        return {
          data: this.#checkpoints.map(({ files, ...one }) => ({
            ...one,
            name: `generation_${one.generation}`,
            size: [...files.values()].reduce((sum, { length }) => sum + length, 0),
            created_at: CREATED,
            download_url: "/files/checkpoint.zip",
          })),
        };
      case "GET /files/checkpoint.zip":
        return { body: new Uint8Array([80, 75]), headers: { "Content-Type": "application/zip" } };
      case `GET ${run}/events`:
        return this.#stream(Number(headers["last-event-id"] ?? 0));
      default:
        return { data: {} };
    }
  }

  #stream(after: number): Answer {
    if (this.away) return { status: 503, data: null };
    this.opened += 1;
    return {
      headers: { "Content-Type": "text/event-stream" },
      body: `retry: 0\n\n${this.#events.slice(after).join("")}`,
      after: "open",
      opened: (connection) => {
        if (this.#isOver()) {
          connection.end();
          return;
        }
        this.#open.add(connection);
        connection.onClose(() => {
          this.#open.delete(connection);
          this.#closed();
        });
      },
    };
  }
}
