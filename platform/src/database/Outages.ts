import { reasonOf } from "../../../src/storage/storageError.ts";

/** Tells of an outage once, when it begins and when it ends, however many fail because of it. */
export class Outages {
  readonly #name: string;
  readonly #log: (message: string) => void;
  #down = false;

  /** @param name What is away, such as "the database". */
  constructor(name: string, log: (message: string) => void) {
    this.#name = name;
    this.#log = log;
  }

  failed(error: unknown): void {
    if (this.#down) return;
    this.#down = true;
    // Of a request that failed the error says no more than that; its cause says why.
    const reason = reasonOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
    this.#log(`${this.#name} cannot be reached (${reason}); waiting for it`);
  }

  answered(): void {
    if (!this.#down) return;
    this.#down = false;
    this.#log(`${this.#name} answers again`);
  }
}
