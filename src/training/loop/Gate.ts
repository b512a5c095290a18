/** Pauses and aborts work between its slices. */

/** Thrown when a run was stopped. */
export class StoppedError extends Error {
  constructor() {
    super("the run was stopped");
    this.name = "StoppedError";
  }
}

/** Yields to the event loop, so that pending messages and timers are handled. */
export const yieldToEvents = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    // A timer would wait 4 ms; a message is delivered immediately.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

type GateEvent = "pause" | "resume" | "abort";

/**
 * What a run's work passes between slices, wherever it is done: open, held by pause, or closed for good by abort. An
 * executor receives the gate of its run when it is opened.
 */
export class Gate {
  #held = false;
  #aborted = false;
  readonly #watchers = new Set<(event: GateEvent) => void>();

  pause(): void {
    if (this.#held || this.#aborted) return;
    this.#held = true;
    this.#tell("pause");
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#tell("resume");
  }

  /** Ends all work behind the gate, held or not. */
  abort(): void {
    if (this.#aborted) return;
    this.#held = false;
    this.#aborted = true;
    this.#tell("abort");
  }

  /** Whether the gate is paused, so that the next `pass` will wait. */
  get isHeld(): boolean {
    return this.#held;
  }

  get isAborted(): boolean {
    return this.#aborted;
  }

  /** Calls `watcher` after each change. @returns what ends that. */
  watch(watcher: (event: GateEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Calls `onAbort` when the gate is aborted, or at once if it was. @returns what ends that. */
  onAbort(onAbort: () => void): () => void {
    if (this.#aborted) onAbort();
    return this.watch((event) => {
      if (event === "abort") onAbort();
    });
  }

  /** Waits while paused. @returns whether it was paused. @throws StoppedError after abort. */
  async pass(): Promise<boolean> {
    await yieldToEvents();
    const held = this.#held;
    while (this.#held) await this.#changed();
    if (this.#aborted) throw new StoppedError();
    return held;
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const forget = this.watch(() => {
        forget();
        resolve();
      });
    });
  }

  #tell(event: GateEvent): void {
    for (const watcher of [...this.#watchers]) watcher(event);
  }
}
