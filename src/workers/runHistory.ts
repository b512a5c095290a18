/** What happened in a run, and how its log tells it. */
import type { LoggedEvent, RunEvent } from "../storage/index.ts";
import type { GenerationReport } from "../training/observer.ts";
import type { Notice } from "./protocol.ts";

export type HistoryEvent = RunEvent &
  (
    | { readonly type: "generation"; readonly report: GenerationReport }
    | { readonly type: "notice"; readonly notice: Notice }
    /** The run went on from this generation; what the log tells of later ones happens again. */
    | { readonly type: "resumed"; readonly generation: number }
  );

/** Notices that are kept for the eye. */
const MAX_NOTICES = 200;

export class RunHistory {
  #generations: GenerationReport[] = [];
  #notices: Notice[] = [];
  #best = Number.NEGATIVE_INFINITY;

  /** @param events What `RunStore.readLog` gave; events of other kinds are left out. */
  static fromLog(events: readonly LoggedEvent[]): RunHistory {
    const history = new RunHistory();
    for (const { event } of events) if (isHistoryEvent(event)) history.add(event);
    return history;
  }

  get generations(): readonly GenerationReport[] {
    return this.#generations;
  }

  /** Newest last. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** Best fitness of any member so far; null before there is one. */
  get best(): number | null {
    return Number.isFinite(this.#best) ? this.#best : null;
  }

  add(event: HistoryEvent): void {
    switch (event.type) {
      case "generation":
        this.#addGeneration(event.report);
        return;
      case "notice":
        this.#notices = [...this.#notices, event.notice].slice(-MAX_NOTICES);
        return;
      case "resumed": {
        const kept = this.#generations.filter(({ generation }) => generation <= event.generation);
        this.#generations = [];
        this.#best = Number.NEGATIVE_INFINITY;
        for (const report of kept) this.#addGeneration(report);
      }
    }
  }

  #addGeneration(report: GenerationReport): void {
    this.#generations.push(report);
    for (const fitness of report.fitnesses) if (fitness > this.#best) this.#best = fitness;
  }
}

/** Records carry a checksum, so their kind says what they hold. */
const isHistoryEvent = (event: RunEvent): event is HistoryEvent =>
  ["generation", "notice", "resumed"].includes(event.type);
