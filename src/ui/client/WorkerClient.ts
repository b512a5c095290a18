import { proxy, releaseProxy, transfer, wrap } from "comlink";
import { installErrorTransfer } from "../../workers/computing.ts";
import { type AnyCall, type CallsOf, type CallTable, callsBy, invoke } from "../../workers/pages.ts";

export interface WorkerClientParts<T extends CallTable> {
  readonly table: T;
  readonly worker: Worker;
  /** Begins the message when the worker ends by itself, such as "The training thread". */
  readonly name: string;
  /** Called once, when the worker has ended for any reason. */
  readonly onEnd: () => void;
  /** Called once, when the worker has ended by itself. */
  readonly onLost: (reason: Error) => void;
}

/** An argument as comlink sends it: ports change threads, and functions can be called from the worker. */
function argument(value: unknown): unknown {
  if (value instanceof MessagePort) return transfer(value, [value]);
  return typeof value === "function" ? proxy(value) : value;
}

/** Sends the calls of a table to a worker. */
export class WorkerClient<T extends CallTable> {
  /** They reject when the worker ends, also while they are pending, which comlink does not notice by itself. */
  readonly calls: CallsOf<T>;
  readonly #parts: WorkerClientParts<T>;
  // Keeps a reference: comlink releases a proxy that is garbage-collected while a call is pending.
  readonly #remote;
  readonly #waiting = new Set<(reason: Error) => void>();
  #ended: Error | null = null;

  constructor(parts: WorkerClientParts<T>) {
    installErrorTransfer();
    this.#parts = parts;
    const { table, worker } = parts;
    this.#remote = wrap<Record<string, AnyCall>>(worker);
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.lose(event.message || "it could not be loaded");
    });
    worker.addEventListener("messageerror", () => this.lose("a message could not be read"));
    this.calls = callsBy(table, (name, args) => this.#send(name, args));
  }

  /** Why the worker has ended; null while it runs. */
  get ended(): Error | null {
    return this.#ended;
  }

  /** Terminates the worker because of a fault, as if it had ended by itself. */
  lose(detail: string): void {
    if (this.#ended !== null) return;
    const reason = new Error(`${this.#parts.name} stopped: ${detail}`);
    this.end(reason);
    this.#parts.onLost(reason);
  }

  /** Terminates the worker. All calls reject with `reason`. */
  end(reason: Error): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
    this.#remote[releaseProxy]();
    this.#parts.worker.terminate();
    this.#parts.onEnd();
  }

  #send(name: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      invoke<string>(this.#remote, name, args.map(argument))
        .finally(() => this.#waiting.delete(reject))
        .then(resolve, reject);
    });
  }
}
