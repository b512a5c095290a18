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

/** A gate that work passes between slices: open, closed by pause, or ended by abort. */
export class Gate {
  #held: { readonly open: Promise<void>; readonly release: () => void } | null = null;
  #aborted = false;

  pause(): void {
    if (this.#held) return;
    let release = () => {};
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { open, release };
  }

  resume(): void {
    this.#held?.release();
    this.#held = null;
  }

  abort(): void {
    this.#aborted = true;
    this.resume();
  }

  reset(): void {
    this.#aborted = false;
  }

  /** Whether the gate is paused, so that the next `pass` will wait. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Waits while paused. @returns whether it was paused. @throws StoppedError after abort. */
  async pass(): Promise<boolean> {
    await yieldToEvents();
    const held = this.isHeld;
    while (this.#held && !this.#aborted) await this.#held.open;
    if (this.#aborted) throw new StoppedError();
    return held;
  }
}

/** An executor that pauses and aborts between slices. */
export abstract class GatedExecutor {
  protected readonly gate = new Gate();

  pause(): void {
    this.gate.pause();
  }

  resume(): void {
    this.gate.resume();
  }

  abort(): void {
    this.gate.abort();
  }
}
