/** Text of CSV files (RFC 4180). */

/** A field, quoted if necessary. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line with its line break. An empty field alone is quoted, because readers skip empty lines. */
export const csvLine = (fields: readonly string[]): string =>
  `${fields.map(field).join(",") || (fields.length === 1 ? '""' : "")}\r\n`;

/** A number as text that parses to the same number; empty for NaN. */
export const csvNumber = (value: number): string => (Number.isNaN(value) ? "" : String(value));
