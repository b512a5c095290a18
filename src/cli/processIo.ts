import { closeSync } from "node:fs";
import { isatty } from "node:tty";
import { nodeFileStore } from "../storage/node/index.ts";
import type { ConsoleStream } from "../tracking/index.ts";
import { type CliIo, EXIT } from "./CliIo.ts";
import { lockDirectory } from "./directoryLock.ts";
import { hangUpIsIgnored } from "./hangUp.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface ProcessIo extends CliIo {
  /** The code to end with, where a command gave `code`: what it printed may have been lost. */
  readonly exitCode: (code: number) => number;
}

/** The process as commands see it. A second signal, or one that no command waits for, ends it at once. */
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
    // A reader that went away (`rlkit train ... | head`) asks to stop as much as a signal does.
    if (error.code === "EPIPE") {
      interrupt();
      return;
    }
    lost = true;
    stderr.write(
      `rlkit: standard output cannot be written any more (${error.message}); the rest of it is lost\n`,
    );
    // What a pipe did not take may be known only after the command has ended.
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
 * Node ends by giving terminals their settings back, and aborts where one is gone (its `ResetStdio`) unless the descriptor
 * is closed.
 */
function outliveTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on("exit", () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

/** A stream that takes text and drops it once some of it could not be written, of which `onLost` is told. */
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
