/** How far a run's events have been received: up to a generation, or to their end. */
type Reached = number | "over";

interface Waiter {
  readonly wanted: Reached;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Lets callers wait until a run's events have been received up to a point. */
export class Catching {
  readonly #waiters = new Set<Waiter>();
  #generation = 0;

  /**
   * Resolves once that point is reached or the events have ended.
   * @throws The error passed to {@link fail} meanwhile.
   */
  until(wanted: Reached): Promise<void> {
    if (wanted !== "over" && wanted <= this.#generation) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.add({ wanted, resolve, reject }));
  }

  reach(reached: Reached): void {
    if (reached !== "over") this.#generation = Math.max(this.#generation, reached);
    for (const waiter of this.#waiters) {
      if (reached !== "over" && (waiter.wanted === "over" || waiter.wanted > reached)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiters) reject(error);
    this.#waiters.clear();
  }
}
