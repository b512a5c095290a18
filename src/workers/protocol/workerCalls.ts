/** Both ends of calls between a page and its worker: a page sends the calls of a table, and the worker answers them. */
import { expose, proxy, releaseProxy, transfer, transferHandlers, wrap } from "comlink";
import { type Answer, type AnyCall, type CallsOf, type CallTable, callsBy, invoke } from "./callTable.ts";
import { transferables } from "./compute.ts";

interface WorkerClientParts<T extends CallTable> {
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

/**
 * Exposes the calls of a table to the page that started this worker.
 * @param own Calls that this worker itself answers.
 * @param answer Answers any other call by its name. The arrays of its result may be moved, and are then gone here.
 */
export function serveCalls<T extends CallTable, Own extends Partial<CallsOf<T>>>(
  table: T,
  own: Own,
  answer: (name: Exclude<keyof T, keyof Own> & string, args: readonly unknown[]) => Promise<unknown>,
): void {
  installErrorTransfer();
  // A name that is not in `own` is one of the others.
  const calls = { ...callsBy(table, answer as Answer<T>), ...own } as Readonly<Record<string, AnyCall>>;
  expose(
    callsBy(table, async (name, args) => {
      const value = await invoke<string>(calls, name, args);
      const buffers = table[name]?.moves ? transferables(value) : [];
      return buffers.length === 0 ? value : transfer(value as object, buffers);
    }),
  );
}

/** An error as it crosses threads: name, message, stack and the fields that programs read. */
interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Thrown {
  readonly value: unknown;
}

/** Fields of this project's errors that are transferred between threads. */
const FIELDS = ["code", "path", "issues", "slot"] as const;

function recordOf(error: Error): ErrorRecord {
  const own = new Map<string, unknown>(Object.entries(error));
  const fields = Object.fromEntries(FIELDS.flatMap((key) => (own.has(key) ? [[key, own.get(key)]] : [])));
  return { name: error.name, message: error.message, stack: error.stack, fields };
}

function errorOf({ name, message, stack, fields }: ErrorRecord): Error {
  return Object.assign(new Error(message), fields, { name, ...(stack === undefined ? {} : { stack }) });
}

/**
 * Makes comlink also transfer `code`, `path`, `issues` and `slot` of an error that a call throws. By default
 * it transfers only `name`, `message` and `stack`. Call this once in each of the two threads.
 */
export function installErrorTransfer(): void {
  const original = transferHandlers.get("throw");
  if (original === undefined) throw new Error("comlink has no handler for errors; was it replaced?");
  transferHandlers.set("throw", {
    canHandle: (value): value is Thrown => original.canHandle(value),
    serialize: ({ value }: Thrown): [ErrorRecord, Transferable[]] => [
      recordOf(value instanceof Error ? value : new Error(String(value))),
      [],
    ],
    deserialize: (record: ErrorRecord): never => {
      throw errorOf(record);
    },
  });
}
