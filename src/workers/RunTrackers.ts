import type { TrainingEvent, TrainingObserver } from "../tracking/observer.ts";
import type { Trackers } from "../tracking/Trackers.ts";
import type { MakeTrackers } from "../training/loop/trainWithOutputs.ts";

/** A run's trackers, which are open before the run is: what they warn of waits until it can be told. */
export class RunTrackers implements TrainingObserver {
  readonly #waiting: string[] = [];
  #tell: (message: string) => void = (message) => void this.#waiting.push(message);
  #trackers: Trackers | null = null;

  /** @throws TrackerRefusedError when the run must not start without them. */
  async open(make: MakeTrackers, context: Omit<Parameters<MakeTrackers>[0], "warn">): Promise<void> {
    this.#trackers = await make({ ...context, warn: (message) => this.warn(message) });
    await this.#trackers.open();
  }

  warn(message: string): void {
    this.#tell(message);
  }

  /** Tells what was warned of so far, and what comes. */
  tellTo(tell: (message: string) => void): void {
    this.#tell = tell;
    for (const message of this.#waiting.splice(0)) tell(message);
  }

  on(event: TrainingEvent): void {
    this.#trackers?.on(event);
  }

  /** Sends what is left, within 30 s. */
  async close(end: { readonly ok: boolean }): Promise<void> {
    await this.#trackers?.close(end);
  }
}
