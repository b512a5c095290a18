/** Sends events to the one subscriber. */
import type { RunEvent } from "../protocol/runs.ts";

/** Minimum milliseconds between two progress events of a run. */
const PROGRESS_MS = 250;

export class EventStream {
  readonly #now: () => number;
  readonly #lastProgress = new Map<string, number>();
  #port: MessagePort | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  subscribe(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
  }

  /** Drops progress events that follow the last one too soon, because more will come. */
  emit(event: RunEvent): void {
    if (event.kind === "progress") {
      const last = this.#lastProgress.get(event.run) ?? Number.NEGATIVE_INFINITY;
      if (this.#now() - last < PROGRESS_MS) return;
      this.#lastProgress.set(event.run, this.#now());
    }
    this.#port?.postMessage(event);
  }
}
