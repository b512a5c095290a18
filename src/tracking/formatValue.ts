/** Numbers, counts and times as the console shows them. */

/** "-" for NaN, integers unchanged, d.dde±xx from 1000 and below 0.01, else four decimals. */
export function formatValue(value: number): string {
  if (Number.isNaN(value)) return "-";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? String(value) : shortExponent(value);
  const size = Math.abs(value);
  return size >= 1000 || size < 0.01 ? shortExponent(value) : value.toFixed(4);
}

/** Two decimals and an exponent of at least two digits, as in 1.25e-04. */
const shortExponent = (value: number): string =>
  value.toExponential(2).replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`);

/** A count with `_` between thousands. */
export const formatCount = (value: number): string =>
  Number.isFinite(value) ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "_") : "-";

/** Seconds as m:ss, or h:mm:ss from an hour. */
export function formatClock(seconds: number): string {
  if (!Number.isFinite(seconds)) return "-:--";
  const total = Math.max(0, Math.round(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A table as lines of text: the first column begins, and the others end at the same place. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((text, at) => (at === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[at] ?? 0)))
      .join("  "),
  );
}
