/** A destination for console text. Node's streams can be used directly. */
export interface ConsoleStream {
  readonly write: (text: string) => unknown;
  /** Whether this is an interactive terminal; lines are rewritten and coloured only there. */
  readonly isTTY?: boolean | undefined;
  /** Characters per line, if the stream knows. */
  readonly columns?: number | undefined;
}

/** Standard output in Node; elsewhere the browser's developer console, one message per write. */
export function defaultConsoleStream(): ConsoleStream {
  if (typeof process !== "undefined" && typeof process.stdout?.write === "function") return process.stdout;
  return { write: (text) => console.log(text.replace(/\n$/, "")) };
}

/** Whether the user of this process has asked for no colour (https://no-color.org). */
export const colourIsRefused = (): boolean =>
  typeof process !== "undefined" && Boolean(process.env?.NO_COLOR);
