/** Where text for the eye goes: Node's streams fit as they are. */
export interface ConsoleStream {
  readonly write: (text: string) => unknown;
  /** Whether someone watches on a terminal; lines are rewritten and coloured only there. */
  readonly isTTY?: boolean | undefined;
  /** Characters in a line, where the stream knows. */
  readonly columns?: number | undefined;
}

/** Standard output in Node; elsewhere the console of the browser's tools, a message a write. */
export function defaultConsoleStream(): ConsoleStream {
  if (typeof process !== "undefined" && typeof process.stdout?.write === "function") return process.stdout;
  return { write: (text) => console.log(text.replace(/\n$/, "")) };
}

/** Whether the user of this process has asked for no colour (https://no-color.org). */
export const colourIsRefused = (): boolean =>
  typeof process !== "undefined" && Boolean(process.env?.NO_COLOR);
