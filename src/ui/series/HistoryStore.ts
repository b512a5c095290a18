import { createStore, type StoreApi } from "zustand/vanilla";
import type { GenerationReport } from "../../tracking/observer.ts";
import type { HistoryColumns } from "../../workers/protocol.ts";
import { messageOf } from "../lib/messageOf.ts";
import { GrowingHistory } from "./GrowingHistory.ts";
import { LineageColours } from "./lineageColours.ts";

/** What a view needs to know to draw a history anew. */
export interface HistoryState {
  readonly phase: "loading" | "ready" | "failed";
  /** Why it could not be loaded, in phase "failed". */
  readonly problem: string | null;
  /** Generations so far: tells when `columns` have grown. */
  readonly version: number;
}

/** Reads the columns of all of a run's generations. */
export type LoadHistory = () => Promise<HistoryColumns>;

/** What a history follows: a run that is open. */
export interface LiveRun {
  /** The report of a generation, if it is at hand. */
  readonly report: (generation: number) => GenerationReport | undefined;
  /** The last generation that ended; 0 for none. */
  readonly last: () => number;
}

/** A run's history, loaded once and kept up to date outside React; views hear of `state.version` only. */
export class HistoryStore {
  readonly state: StoreApi<HistoryState> = createStore(() => LOADING);
  readonly colours = new LineageColours();
  #history: GrowingHistory | null = null;
  readonly #load: LoadHistory;
  readonly #live: LiveRun;
  #busy = false;

  constructor(load: LoadHistory, live: LiveRun) {
    this.#load = load;
    this.#live = live;
  }

  /** All generations that are loaded; null before. */
  get columns(): HistoryColumns | null {
    return this.#history?.columns ?? null;
  }

  /**
   * Takes in what has ended since: from reports at hand, else by another read. Call it at most a few times a second.
   * Never rejects; the state tells what went wrong, and another call tries again.
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
      this.#tell({ phase: "ready", problem: null, version: this.#history.columns.generations });
    } catch (error) {
      // What is there goes on being shown.
      if (this.#history === null) this.#tell({ phase: "failed", problem: messageOf(error), version: 0 });
    } finally {
      this.#busy = false;
    }
  }

  /** The history with all that has ended. Reports that are no longer at hand are read with all the others. */
  async #followed(history: GrowingHistory): Promise<GrowingHistory> {
    let current = history;
    while (current.next <= this.#live.last()) {
      const report = this.#live.report(current.next);
      if (report !== undefined) current.append(report);
      else {
        const read = new GrowingHistory(await this.#load());
        // The log has no more than that: it is asked again with the next generation.
        if (read.next <= current.next) return current;
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
