import { RemoteConfigError, RemoteFileNotFoundError } from "../remote/index.ts";
import { reasonOf } from "../storage/files.ts";
import { type FileStore, isStorageError } from "../storage/index.ts";
import type { ConsoleStream, TrainingObserver } from "../tracking/index.ts";
import { directoryError } from "../training/files.ts";
import type { LockUser } from "./directoryLock.ts";

/** The text of a manifest file. @throws CliError with exit code 2 when it cannot be read. */
export async function readManifestFile(store: FileStore, path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await store.read(path);
  } catch (error) {
    const reason = reasonOf((await directoryError(store, path)) ?? error);
    throw new CliError(`the manifest cannot be read: ${reason}`, EXIT.usage, { cause: error });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `the manifest cannot be read: ${path}: is not UTF-8 text; give a YAML or JSON file`;
    throw new CliError(message, EXIT.usage, { cause: error });
  }
}

interface CliErrorOptions extends ErrorOptions {
  /** The event that ends the `--json` stream, after the error event. */
  readonly lastEvent?: object;
}

/** Ends a command with a message and an exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;
  readonly lastEvent: object | null;

  constructor(message: string, exitCode: number, options: CliErrorOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
    this.lastEvent = options.lastEvent ?? null;
  }
}

/** A mistake in the command line. */
export const usageError = (message: string): CliError => new CliError(message, EXIT.usage);

/** The exit code for an error that a command or the library throws. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof RemoteConfigError || error instanceof RemoteFileNotFoundError) return EXIT.usage;
  if (!isStorageError(error)) return EXIT.failed;
  return error.code === "corrupt" || error.code === "version" ? EXIT.failed : EXIT.usage;
}

/** Writes a value as one line of JSON; numbers that are not finite become null. */
export function jsonLine(stream: ConsoleStream, value: object): void {
  stream.write(`${JSON.stringify(value)}\n`);
}

/** Writes every event except progress, one per line. */
export function jsonLines(stream: ConsoleStream): TrainingObserver {
  return {
    on: (event) => {
      if (event.event !== "progress") jsonLine(stream, event);
    },
  };
}

/** A command's access to the process that runs it. */
export interface CliIo {
  readonly stdout: ConsoleStream;
  readonly stderr: ConsoleStream;
  /** Paths are relative to the working directory, or absolute. */
  readonly store: FileStore;
  /**
   * Locks a directory for this command and resolves to a function that releases it. Absent where no other
   * process can write.
   * @param user The command (default: `rlkit train --out`).
   * @throws CliError naming the process that holds the lock; StorageError.
   */
  readonly lock?: (dir: string, user?: LockUser) => Promise<() => Promise<void>>;
  /** Calls `handler` once, when the user asks to stop. Returns a function that unsubscribes. */
  readonly onInterrupt: (handler: () => void) => () => void;
}

/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  /** A manifest or checkpoint is invalid, or the run failed. */
  failed: 1,
  /** The command line is invalid, or a file cannot be read or written. */
  usage: 2,
  /** The user stopped the command. */
  interrupted: 130,
} as const;
