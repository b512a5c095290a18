import type { ConsoleStream, TrainingObserver } from "../tracking/index.ts";

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
