/** Pending calls to a worker, rejected when the worker ends: comlink does not notice that by itself. */
export class WaitingCalls {
  readonly #waiting = new Set<(reason: Error) => void>();

  /** Resolves to the result of a call, or rejects when the worker ends first. */
  wait<T>(send: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      send()
        .finally(() => this.#waiting.delete(reject))
        .then(resolve, reject);
    });
  }

  /** Rejects all pending calls with `reason`, after the worker has ended. */
  end(reason: Error): void {
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
  }
}
