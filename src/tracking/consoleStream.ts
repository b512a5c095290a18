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

/** Styles text for a terminal; plain text everywhere else. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** ANSI codes if `colour` is true; otherwise the text unchanged. */
export function makePaint(colour: boolean): Paint {
  const code = (start: number, end: number) => (text: string) =>
    colour ? `\x1b[${start}m${text}\x1b[${end}m` : text;
  return { bold: code(1, 22), dim: code(2, 22), green: code(32, 39), yellow: code(33, 39) };
}

const seen = new Set<string>();

/** Logs a warning to the console. */
export function warn(message: string): void {
  console.warn(`rlkit: ${message}`);
}

/** Logs a warning at most once per process. */
export function warnOnce(message: string): void {
  if (seen.has(message)) return;
  seen.add(message);
  warn(message);
}
