import { closeSync } from "node:fs";
import { isatty } from "node:tty";
import { nodeFileStore } from "../storage/node/index.ts";
import type { ConsoleStream } from "../tracking/index.ts";
import { type CliIo, EXIT } from "./CliIo.ts";
import { lockDirectory } from "./directoryLock.ts";
import { hangUpIsIgnored } from "./hangUp.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface ProcessIo extends CliIo {
  /** The exit code to use after a command returned `code`: printed output may have been lost. */
  readonly exitCode: (code: number) => number;
}

/** The `CliIo` of this process. A second signal, or one that no command handles, exits at once. */
export function processIo(): ProcessIo {
  let handler: (() => void) | null = null;
  const interrupt = (): void => {
    const first = handler;
    handler = null;
    if (first) first();
    else process.exit(EXIT.interrupted);
  };
  const ignore = (): void => undefined;
  const noHangUp = hangUpIsIgnored();
  for (const signal of SIGNALS) process.on(signal, signal === "SIGHUP" && noHangUp ? ignore : interrupt);

  outliveTerminals();
  const stderr = lossy(process.stderr, ignore);
  let lost = false;
  const exitCode = (code: number): number => (code === EXIT.ok && lost ? EXIT.usage : code);
  const stdout = lossy(process.stdout, (error) => {
    // A reader that closed the pipe (`rlkit train ... | head`) asks to stop, just as a signal does.
    if (error.code === "EPIPE") {
      interrupt();
      return;
    }
    lost = true;
    stderr.write(
      `rlkit: standard output can no longer be written (${error.message}); the rest of it is lost\n`,
    );
    // A pipe may report a failed write only after the command has ended.
    if (typeof process.exitCode === "number") process.exitCode = exitCode(process.exitCode);
  });
  return {
    stdout,
    stderr,
    store: nodeFileStore(),
    lock: lockDirectory,
    exitCode,
    onInterrupt: (next) => {
      handler = next;
      return () => {
        if (handler === next) handler = null;
      };
    },
  };
}

/**
 * Node restores terminal settings when it exits, and aborts if a terminal is gone (its `ResetStdio`) unless
 * the descriptor is closed.
 */
function outliveTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on("exit", () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

/** A stream that drops all text after a write has failed. The first failure is reported to `onLost`. */
function lossy(stream: NodeJS.WriteStream, onLost: (error: NodeJS.ErrnoException) => void): ConsoleStream {
  let lost = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (lost) return;
    lost = true;
    onLost(error);
  });
  return {
    write: (text) => lost || stream.write(text),
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
  };
}
