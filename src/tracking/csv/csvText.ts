/** Text of CSV files (RFC 4180). */

/** A field; quoted where it must be. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line with its end. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(",")}\r\n`;

/** A number as text that reads back as the same number; nothing for NaN. */
export const csvNumber = (value: number): string => (Number.isNaN(value) ? "" : String(value));
