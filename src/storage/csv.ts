/** A record of a CSV file. Quoted fields may contain line breaks. */
export interface CsvRecord {
  /** Line of the text where the record starts, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** The next comma or line ending. */
const SEPARATOR = /[,\r\n]/g;
/** The start of a quoted field, and what may follow its end. */
const QUOTE = /[ \t]*"/y;
const BLANKS = /[ \t]*/y;

/** Text of two or more bytes a character, decoded as UTF-8: a mark of two invalid bytes, or zeros between letters. */
const UTF_16 = /^(?:\uFFFD\uFFFD|.\0(?:.\0|$)|\0.(?:\0|$))/s;

/**
 * The text of a file without its byte order mark, which is not part of the first field.
 * @throws Error naming the file, if it is UTF-16.
 */
export function plainText(text: string, file: string): string {
  if (UTF_16.test(text)) throw new Error(`${file}: found UTF-16, allowed UTF-8; save the file as UTF-8`);
  return text.replace(/^\uFEFF/, "");
}

/**
 * Parses CSV (RFC 4180): fields separated by commas, and quoted if they contain commas, quotes (doubled) or
 * line endings. Lines end with CRLF, LF or CR; empty lines are skipped. Blanks around quotes do not count.
 *
 * @param file File name for messages.
 * @throws Error naming file, line and column of an unclosed quote, or of text outside the quotes of a field.
 */
export function parseCsv(text: string, file: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let at = 0;
  let line = 1;
  let lineStart = 0;

  const fail = (offset: number, message: string): never => {
    throw new Error(`${file}: line ${line}, column ${offset - lineStart + 1}: ${message}`);
  };
  const countLines = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const ends = text[i] === "\n" || (text[i] === "\r" && text[i + 1] !== "\n");
      if (ends) {
        line++;
        lineStart = i + 1;
      }
    }
  };
  const pass = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isThere = pattern.test(text);
    if (isThere) at = pattern.lastIndex;
    return isThere;
  };
  /** Reads a field from its opening quote, which was passed. */
  const readQuoted = (): string => {
    at--;
    let value = "";
    let from = at + 1;
    for (;;) {
      const quote = text.indexOf('"', from);
      if (quote === -1) return fail(at, "the quote is not closed");
      value += text.slice(from, quote);
      if (text[quote + 1] !== '"') {
        countLines(at, quote);
        at = quote + 1;
        break;
      }
      value += '"';
      from = quote + 2;
    }
    pass(BLANKS);
    if (at < text.length && !/[,\r\n]/.test(text[at] ?? ""))
      fail(at, "text after a closing quote; double a quote inside a quoted field");
    return value;
  };
  const readPlain = (): string => {
    SEPARATOR.lastIndex = at;
    const end = SEPARATOR.exec(text)?.index ?? text.length;
    const value = text.slice(at, end);
    const quote = value.indexOf('"');
    if (quote !== -1)
      fail(at + quote, "a quote in an unquoted field; put the field in quotes and double the quote");
    at = end;
    return value;
  };

  while (at < text.length) {
    const fields: string[] = [];
    const begin = line;
    const start = at;
    for (;;) {
      fields.push(pass(QUOTE) ? readQuoted() : readPlain());
      if (text[at] !== ",") break;
      at++;
    }
    const isEmpty = at === start;
    const end = text[at] === "\r" && text[at + 1] === "\n" ? at + 2 : at + 1;
    countLines(at, Math.min(end, text.length));
    at = end;
    if (!isEmpty) records.push({ line: begin, fields });
  }
  return records;
}
