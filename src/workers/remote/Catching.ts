/** How far a run has been told: a generation, or all of what is over. */
export type Reached = number | "over";

interface Waiter {
  readonly wanted: Reached;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Lets callers wait until a run's events have come so far. */
export class Catching {
  readonly #waiters = new Set<Waiter>();
  #generation = 0;

  /** Resolves once that is told, or the telling has ended. @throws what {@link fail} is given meanwhile. */
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
