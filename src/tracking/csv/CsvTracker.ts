/** Rows in a CSV file, and the text of such files (RFC 4180). */
import { baseName, type FileStore, parentPath } from "../../storage/index.ts";
import { type MetricRow, STEP_KEY } from "../metricRow.ts";
import { type Tracker, TrackerRefusedError } from "../Tracker.ts";
import { WriteQueue } from "../WriteQueue.ts";

/** A field, quoted if necessary. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line with its line break. An empty field alone is quoted, because readers skip empty lines. */
export const csvLine = (fields: readonly string[]): string =>
  `${fields.map(field).join(",") || (fields.length === 1 ? '""' : "")}\r\n`;

/** The fields of each line. A line without its break was not written to its end, and is left out. */
function* linesOf(text: string): Generator<readonly string[]> {
  let fields: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g)) {
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    yield fields;
    fields = [];
  }
}

/** A number as text that parses to the same number; empty for NaN. */
export const csvNumber = (value: number): string => (Number.isNaN(value) ? "" : String(value));

export interface CsvOptions {
  /** Called for the first failed write, after which nothing more is written. */
  readonly onFailure?: (tracker: Tracker, error: unknown) => void;
  readonly store: FileStore;
  /** Path of the file; an existing file is replaced, unless the run goes on. */
  readonly path: string;
  /**
   * Step that a run goes on from: rows of an existing file up to it stay, later ones are trained again (default: 0, a
   * new run).
   */
  readonly from?: number;
  /** Keys of the rows, in order. */
  readonly columns: readonly string[];
}

/** Rows of a run in a CSV file, one column per key. A new key adds a column to the whole file. */
export class CsvTracker implements Tracker {
  readonly name = "csv";
  readonly #store: FileStore;
  readonly #path: string;
  readonly #from: number;
  readonly #queue: WriteQueue<MetricRow>;
  #columns: readonly string[];

  constructor({ store, path, columns, from = 0, onFailure }: CsvOptions) {
    this.#store = store;
    this.#path = path;
    this.#columns = columns;
    this.#from = from;
    this.#queue = new WriteQueue(
      (rows) => this.#write(rows),
      (error) => onFailure?.(this, error),
    );
  }

  /** @throws TrackerRefusedError when the path is a directory, or a run that goes on finds a file of something else. */
  async open(): Promise<void> {
    const beside = await this.#store.list(parentPath(this.#path));
    const own = beside.find(({ name }) => name === baseName(this.#path));
    if (own?.kind === "directory" || /(^|\/)\.{0,2}$/.test(this.#path))
      throw new TrackerRefusedError(
        `csv_log_dir: found the directory ${this.#path}, allowed the path of a file, such as ${this.#path}/metrics.csv`,
      );
    const kept = own && this.#from > 0 ? await this.#rowsBefore() : "";
    await this.#store.write(this.#path, bytesOf(csvLine(this.#columns) + kept));
  }

  /** The rows of the existing file up to the step that the run goes on from. Its columns come first from now on. */
  async #rowsBefore(): Promise<string> {
    const [header = [], ...lines] = linesOf(new TextDecoder().decode(await this.#store.read(this.#path)));
    if (header.length === 0) return "";
    const step = header.indexOf(STEP_KEY);
    if (step < 0)
      throw new TrackerRefusedError(
        `csv_log_dir: found ${this.#path} without the column ${STEP_KEY}, so a resumed run cannot continue it; give the path of another file`,
      );
    const added = this.#columns.filter((key) => !header.includes(key));
    this.#columns = [...header, ...added];
    return lines
      .filter((fields) => fields.length === header.length && Number(fields[step] || Number.NaN) <= this.#from)
      .map((fields) => csvLine([...fields, ...added.map(() => "")]))
      .join("");
  }

  row(row: MetricRow): void {
    this.#queue.add(row);
  }

  async close(): Promise<void> {
    await this.#queue.flush();
  }

  async #write(rows: readonly MetricRow[]): Promise<void> {
    const known = new Set(this.#columns);
    const added = [...new Set(rows.flatMap(Object.keys))].filter((key) => !known.has(key));
    if (added.length > 0) await this.#widen(added);
    const lines = rows.map((row) => csvLine(this.#columns.map((key) => csvNumber(row[key] ?? Number.NaN))));
    await this.#store.append(this.#path, bytesOf(lines.join("")));
  }

  /** Rewrites the file with more columns, which are empty in the existing rows. */
  async #widen(added: readonly string[]): Promise<void> {
    const text = new TextDecoder().decode(await this.#store.read(this.#path));
    const body = text.slice(text.indexOf("\r\n") + 2);
    this.#columns = [...this.#columns, ...added];
    const empty = ",".repeat(added.length);
    const wider = body.replaceAll("\r\n", `${empty}\r\n`);
    await this.#store.write(this.#path, bytesOf(csvLine(this.#columns) + wider));
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
