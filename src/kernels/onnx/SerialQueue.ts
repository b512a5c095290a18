/** Calls one after the other, in the order in which they were asked for. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Calls when all calls before have ended, also those that failed. */
  run<T>(call: () => T | Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#last.then(call).finally(() => {
      this.#waiting--;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** All calls of onnxruntime in this thread: two that overlap end its WebAssembly instance. */
export const onnxCalls = new SerialQueue();
