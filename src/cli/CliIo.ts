import type { FileStore } from "../storage/index.ts";
import type { ConsoleStream } from "../tracking/index.ts";

/** What commands know of the process they run in. */
export interface CliIo {
  readonly stdout: ConsoleStream;
  readonly stderr: ConsoleStream;
  /** Paths are the system's own: relative to the working directory, or absolute. */
  readonly store: FileStore;
  /**
   * Takes an output directory for this command alone; what is returned gives it back. Absent where nobody else can write.
   * @throws CliError naming who has it; StorageError.
   */
  readonly lock?: (dir: string) => Promise<() => Promise<void>>;
  /** Calls `handler` when the user asks to stop, once; what is returned ends that. */
  readonly onInterrupt: (handler: () => void) => () => void;
}

/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  /** A manifest, checkpoint or run that is not right. */
  failed: 1,
  /** A command line that is not understood, or a file that cannot be read or written. */
  usage: 2,
  /** The user stopped it. */
  interrupted: 130,
} as const;
