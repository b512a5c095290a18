/** Runs work at intervals, never concurrently. Errors are logged and do not stop later runs. */
interface PeriodicOptions {
  readonly every_ms: number;
  readonly work: () => Promise<unknown>;
  readonly log: (message: string) => void;
}

export class Periodic {
  readonly #options: PeriodicOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #working: Promise<void> | null = null;

  constructor(options: PeriodicOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.start(), options.every_ms);
  }

  /** Starts the work now, unless it is in progress. */
  start(): void {
    const { work, log } = this.#options;
    this.#working ??= work()
      .then(
        () => undefined,
        (error: unknown) => log(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => {
        this.#working = null;
      });
  }

  /** Stops the timer, and resolves when the work in progress has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }
}
