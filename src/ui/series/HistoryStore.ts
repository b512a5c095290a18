import { createStore, type StoreApi } from "zustand/vanilla";
import { GrowingHistory } from "../../tracking/clients.ts";
import type { GenerationReport } from "../../tracking/observer.ts";
import type { HistoryColumns } from "../../workers/protocol.ts";
import { messageOf } from "../lib/format.ts";
import { FounderColours, LineageColours } from "./lineageColours.ts";

/** The state that tells a view when to redraw a history. */
export interface HistoryState {
  readonly phase: "loading" | "ready" | "failed";
  /** Why it could not be loaded, in phase "failed". */
  readonly problem: string | null;
  /** Number of generations so far; changes when `columns` have grown. */
  readonly version: number;
}

/** Reads the columns of all of a run's generations. */
export type LoadHistory = () => Promise<HistoryColumns>;

/** The open run that a history follows. */
export interface LiveRun {
  /** The report of a generation, if it is loaded. */
  readonly report: (generation: number) => GenerationReport | undefined;
  /** Number of the last completed generation; 0 for none. */
  readonly last: () => number;
}

/** A run's history, loaded once and kept up to date outside React; views subscribe only to `state`. */
export class HistoryStore {
  readonly state: StoreApi<HistoryState> = createStore(() => LOADING);
  readonly colours = new LineageColours();
  readonly founders = new FounderColours();
  #history: GrowingHistory<HistoryColumns> | null = null;
  readonly #load: LoadHistory;
  readonly #live: LiveRun;
  #busy = false;

  constructor(load: LoadHistory, live: LiveRun) {
    this.#load = load;
    this.#live = live;
  }

  /** All loaded generations; null before the first load. */
  get columns(): HistoryColumns | null {
    return this.#history?.columns ?? null;
  }

  /**
   * Adds generations that have ended since, from loaded reports or else by reading again. Call it at most a
   * few times per second. Never rejects: the state reports a failed load, and another call retries.
   */
  async catchUp(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      if (this.#history === null) {
        this.state.setState(LOADING, true);
        this.#history = new GrowingHistory(await this.#load());
      }
      this.#history = await this.#followed(this.#history);
      this.colours.catchUp(this.#history.columns);
      this.founders.catchUp(this.#history.columns);
      this.#tell({ phase: "ready", problem: null, version: this.#history.columns.generations });
    } catch (error) {
      // A history that is already loaded stays visible.
      if (this.#history === null) this.#tell({ phase: "failed", problem: messageOf(error), version: 0 });
    } finally {
      this.#busy = false;
    }
  }

  /**
   * The history with all completed generations. If a report is no longer loaded, the whole history is read
   * again.
   */
  async #followed(history: GrowingHistory<HistoryColumns>): Promise<GrowingHistory<HistoryColumns>> {
    let current = history;
    while (current.last < this.#live.last()) {
      const report = this.#live.report(current.last + 1);
      if (report !== undefined) current.append(report);
      else {
        const read = new GrowingHistory(await this.#load());
        // The log has no more generations yet; it is read again with the next one.
        if (read.last <= current.last) return current;
        current = read;
      }
    }
    return current;
  }

  #tell(next: HistoryState): void {
    const { phase, version } = this.state.getState();
    if (next.phase !== phase || next.version !== version) this.state.setState(next, true);
  }
}

const LOADING: HistoryState = { phase: "loading", problem: null, version: 0 };
