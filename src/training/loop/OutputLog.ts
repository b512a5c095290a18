import { reasonOf } from "../../storage/storageError.ts";

/** What of a run's outputs was never written. */
export interface LostOutput {
  readonly message: string;
  /** Why the last try failed. */
  readonly cause: unknown;
}

/** Whether the tries to write an output came to anything. */
export class OutputLog {
  readonly #what: string;
  #written = false;
  #failure: LostOutput | null = null;

  /** @param what The output, as a message has it. */
  constructor(what: string) {
    this.#what = what;
  }

  wrote(): void {
    this.#written = true;
  }

  failed(path: string, cause: unknown): void {
    this.#failure = { message: `${this.#what} to ${path}: ${reasonOf(cause)}`, cause };
  }

  /** The last failure where nothing was ever written; null where something was, or nothing was to be. */
  get lost(): LostOutput | null {
    return this.#written ? null : this.#failure;
  }
}

/** The losses of a run in one; null for none. */
export function lostOutput(logs: readonly OutputLog[]): LostOutput | null {
  const lost = logs.flatMap((log) => log.lost ?? []);
  const [first] = lost;
  if (!first) return null;
  const what = lost.map(({ message }) => message).join("; ");
  const message = `the run was trained to its end, and not saved: ${what}; this error has its population and fitnesses: save them elsewhere`;
  return { message, cause: first.cause };
}
