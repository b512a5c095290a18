import type { FileStore } from "../../storage/index.ts";
import type { Tracker } from "../Tracker.ts";
import { WriteQueue } from "../WriteQueue.ts";

export interface CompletionsFileOptions {
  /** Called for the first failed write, after which nothing more is written. */
  readonly onFailure?: (tracker: Tracker, error: unknown) => void;
  readonly store: FileStore;
  /** Path of the file; an existing file is appended to. */
  readonly path: string;
  /** Iteration that a run goes on from, after which records at the end of the file are left out (default: 0, a new run). */
  readonly from?: number;
}

/** Sampled completions of a language model in a JSON Lines file, one record per line. */
export class CompletionsFile implements Tracker {
  readonly name = "completion_logging";
  readonly #queue: WriteQueue<string>;
  readonly #goOn: () => Promise<void>;

  constructor({ store, path, from = 0, onFailure }: CompletionsFileOptions) {
    this.#goOn = async () => {
      if (from === 0 || !(await store.exists(path))) return;
      const lines = new TextDecoder().decode(await store.read(path)).split(/(?<=\n)/);
      const last = lines.findLastIndex((line) => line.endsWith("\n") && stepOf(line) <= from);
      if (last + 1 < lines.length)
        await store.write(path, new TextEncoder().encode(lines.slice(0, last + 1).join("")));
    };
    this.#queue = new WriteQueue(
      (lines) => store.append(path, new TextEncoder().encode(lines.join(""))),
      (error) => onFailure?.(this, error),
    );
  }

  async open(): Promise<void> {
    await this.#goOn();
  }

  row(): void {}

  table(_name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(columns.map((column, i) => [column, row[i]]))),
    );
    this.#queue.add(lines.map((line) => `${line}\n`).join(""));
  }

  async close(): Promise<void> {
    await this.#queue.flush();
  }
}

/** The iteration of a record; 0 for another line. */
function stepOf(line: string): number {
  try {
    const record: unknown = JSON.parse(line);
    return Number((record as { readonly step?: unknown } | null)?.step ?? 0) || 0;
  } catch {
    return 0;
  }
}
