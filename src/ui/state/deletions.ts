import type { RunSummary } from "../../workers/protocol.ts";
import { messageOf } from "../lib/format.ts";
import type { Toasts } from "./toasts.ts";

/** Milliseconds during which a deletion can be undone. */
export const GRACE = 10_000;

interface Means {
  /** Deletes the files of a run. */
  readonly remove: (id: string) => Promise<void>;
  /** Called with the runs to hide. */
  readonly hide: (ids: ReadonlySet<string>) => void;
  /** Called after files have been deleted; the runs stay hidden until it resolves. */
  readonly gone: () => Promise<void>;
  readonly toasts: Toasts;
  /** Milliseconds during which a deletion can be undone. */
  readonly grace: number;
}

/**
 * Hides runs immediately and deletes their files after a delay. Closing the page before that keeps the runs.
 */
export class Deletions {
  readonly #means: Means;
  readonly #leaving = new Set<string>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(means: Means) {
    this.#means = means;
  }

  delete(runs: readonly Pick<RunSummary, "id" | "name">[]): void {
    const [first] = runs;
    if (first === undefined) return;
    this.#change((leaving) => runs.forEach(({ id }) => leaving.add(id)));
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#means.toasts.dismiss(toast);
      void this.#remove(runs);
    }, this.#means.grace);
    this.#timers.add(timer);
    const toast = this.#means.toasts.show({
      tone: "info",
      message: runs.length === 1 ? `Deleted “${shortened(first.name)}”.` : `Deleted ${runs.length} runs.`,
      lasting: true,
      action: {
        label: "Undo",
        perform: () => {
          clearTimeout(timer);
          this.#timers.delete(timer);
          this.#show(runs);
        },
      },
    });
  }

  /** Cancels pending deletions, so that their runs are kept. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #remove(runs: readonly Pick<RunSummary, "id" | "name">[]): Promise<void> {
    const results = await Promise.allSettled(runs.map(({ id }) => this.#means.remove(id)));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    if (failures.length > 0) {
      const message = `${runs.length === 1 ? "The run" : `${failures.length} of ${runs.length} runs`} could not be deleted: ${messageOf(failures[0])}`;
      this.#means.toasts.show({ tone: "error", message });
    }
    await this.#means.gone();
    this.#show(runs);
  }

  #show(runs: readonly Pick<RunSummary, "id">[]): void {
    this.#change((leaving) => runs.forEach(({ id }) => leaving.delete(id)));
  }

  #change(change: (leaving: Set<string>) => void): void {
    change(this.#leaving);
    this.#means.hide(new Set(this.#leaving));
  }
}

const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name);
