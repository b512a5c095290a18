import { reasonOf } from "../../../src/storage/files.ts";

/** Logs an outage once when it begins and once when it ends, however many requests fail during it. */
export class Outages {
  readonly #name: string;
  readonly #log: (message: string) => void;
  #down = false;

  /** @param name The unreachable service, such as "the database". */
  constructor(name: string, log: (message: string) => void) {
    this.#name = name;
    this.#log = log;
  }

  failed(error: unknown): void {
    if (this.#down) return;
    this.#down = true;
    // The error of `fetch` says only that the request failed; its cause has the reason.
    const reason = reasonOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
    this.#log(`${this.#name} cannot be reached (${reason}); waiting for it`);
  }

  answered(): void {
    if (!this.#down) return;
    this.#down = false;
    this.#log(`${this.#name} answers again`);
  }
}
