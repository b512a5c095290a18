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
