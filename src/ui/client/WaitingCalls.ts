/** Calls of a worker that cannot wait for ever: comlink does not notice when its worker ends. */
export class WaitingCalls {
  readonly #waiting = new Set<(reason: Error) => void>();

  /** What a call gives, unless the worker ends before. */
  wait<T>(send: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      send()
        .finally(() => this.#waiting.delete(reject))
        .then(resolve, reject);
    });
  }

  /** The worker has ended: all that wait are told why. */
  end(reason: Error): void {
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
  }
}
