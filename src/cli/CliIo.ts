import type { FileStore } from "../storage/index.ts";
import type { ConsoleStream } from "../tracking/index.ts";
import type { LockUser } from "./directoryLock.ts";

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
