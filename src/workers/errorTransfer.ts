import { transferHandlers } from "comlink";

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
