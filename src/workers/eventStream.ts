/** Sends events to the one who listens. */
import type { RunEvent } from "./protocol.ts";

/** Time between two progress events of a run. */
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

  /** Progress that comes too soon after the last is left out: more follows. */
  emit(event: RunEvent): void {
    if (event.kind === "progress") {
      const last = this.#lastProgress.get(event.run) ?? Number.NEGATIVE_INFINITY;
      if (this.#now() - last < PROGRESS_MS) return;
      this.#lastProgress.set(event.run, this.#now());
    }
    this.#port?.postMessage(event);
  }
}
