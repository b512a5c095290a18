import { RemoteConfigError, RemoteFileNotFoundError } from "../remote/index.ts";
import { isStorageError } from "../storage/index.ts";
import { EXIT } from "./CliIo.ts";

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
