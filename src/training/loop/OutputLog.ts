import { reasonOf } from "../../storage/files.ts";

/** An output of a run that was never written. */
export interface LostOutput {
  readonly message: string;
  /** Error of the last attempt. */
  readonly cause: unknown;
}

/** Records whether any attempt to write an output succeeded. */
export class OutputLog {
  readonly #what: string;
  #written = false;
  #failure: LostOutput | null = null;

  /** @param what The output, as named in messages. */
  constructor(what: string) {
    this.#what = what;
  }

  wrote(): void {
    this.#written = true;
  }

  failed(path: string, cause: unknown): void {
    this.#failure = { message: `${this.#what} to ${path}: ${reasonOf(cause)}`, cause };
  }

  /** The last failure if no attempt succeeded; `null` if one did, or if there were none. */
  get lost(): LostOutput | null {
    return this.#written ? null : this.#failure;
  }
}

/** Combines the lost outputs of a run; `null` for none. */
export function lostOutput(logs: readonly OutputLog[]): LostOutput | null {
  const lost = logs.flatMap((log) => log.lost ?? []);
  const [first] = lost;
  if (!first) return null;
  const what = lost.map(({ message }) => message).join("; ");
  const message = `the run finished training but was not saved: ${what}; this error has its population and fitnesses, so save them elsewhere`;
  return { message, cause: first.cause };
}
