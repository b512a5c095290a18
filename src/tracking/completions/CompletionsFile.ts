import type { FileStore } from "../../storage/index.ts";
import type { Tracker } from "../Tracker.ts";
import { WriteQueue } from "../WriteQueue.ts";

export interface CompletionsFileOptions {
  /** Called for the first failed write, after which nothing more is written. */
  readonly onFailure?: (tracker: Tracker, error: unknown) => void;
  readonly store: FileStore;
  /** Path of the file; an existing file is appended to. */
  readonly path: string;
}

/** Sampled completions of a language model in a JSON Lines file, one record per line. */
export class CompletionsFile implements Tracker {
  readonly name = "completion_logging";
  readonly #queue: WriteQueue<string>;

  constructor({ store, path, onFailure }: CompletionsFileOptions) {
    this.#queue = new WriteQueue(
      (lines) => store.append(path, new TextEncoder().encode(lines.join(""))),
      (error) => onFailure?.(this, error),
    );
  }

  async open(): Promise<void> {}

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
