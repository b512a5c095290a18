/** Work that is done again and again, never twice at once. What it throws is logged: the next time comes. */
export interface PeriodicOptions {
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

  /** Begins now, unless it is at work. */
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

  /** Resolves when what is under way has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }
}
