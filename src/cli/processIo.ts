import { nodeFileStore } from "../storage/node/index.ts";
import { type CliIo, EXIT } from "./CliIo.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The process as commands see it. A second signal, or one that no command waits for, ends it at once. */
export function processIo(): CliIo {
  let handler: (() => void) | null = null;
  const interrupt = (): void => {
    const first = handler;
    handler = null;
    if (first) first();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  // A reader that went away (`rlkit train ... | head`) asks to stop as much as a signal does.
  let readerIsGone = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!readerIsGone) interrupt();
    readerIsGone = true;
  });
  process.stderr.on("error", () => {});
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    store: nodeFileStore(),
    onInterrupt: (next) => {
      handler = next;
      return () => {
        if (handler === next) handler = null;
      };
    },
  };
}
