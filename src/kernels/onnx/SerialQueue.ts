/** Runs calls one at a time, in the order in which they were requested. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs the call after all earlier calls have ended, including failed ones. */
  run<T>(call: () => T | Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#last.then(call).finally(() => {
      this.#waiting--;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** All calls of onnxruntime in this thread: two overlapping calls would break its WebAssembly instance. */
export const onnxCalls = new SerialQueue();
