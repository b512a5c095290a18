import type { Trackers } from "../tracking/clients.ts";
import type { TrainingEvent, TrainingObserver } from "../tracking/observer.ts";
import type { MakeTrackers } from "../training/plan.ts";

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
