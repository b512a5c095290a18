import { createStore, type StoreApi } from "zustand/vanilla";
import { type FitnessColumns, GrowingHistory, noFitness } from "../../tracking/clients.ts";
import { withCompletions } from "../../tracking/history.ts";
import type { GenerationReport, ProgressReport, TrainingEpisode } from "../../tracking/observer.ts";
import type { RunEvent, RunSnapshot, RunSummary } from "../../workers/protocol.ts";
import { messageOf } from "../lib/format.ts";
import { createUpdateClock, type UpdateClock } from "../lib/updateClock.ts";
import { HistoryStore, type LoadHistory } from "../series/HistoryStore.ts";
import { type LoadReports, ReportPager } from "./ReportPager.ts";
import { EMPTY_VIEW, MAX_NOTICES, type RunViewState } from "./RunViewState.ts";
import { fieldsSetBy } from "./runList.ts";

/**
 * One open run. Processes its events outside React, and publishes a new view a few times per second. Events
 * that arrive while the snapshot is loading are queued and applied after it.
 */
export class RunView {
  readonly view: StoreApi<RunViewState> = createStore(() => EMPTY_VIEW);
  /** Full reports, as far as they are in memory. */
  reports = new ReportPager(async () => []);
  /** All numbers of all generations, read when a view needs them. */
  readonly history = new HistoryStore(() => this.#loadHistory(), {
    report: (generation) => this.reports.get(generation),
    last: () => this.view.getState().summary?.generation ?? 0,
  });
  #loadHistory: LoadHistory = notOpen;
  #numbers = new GrowingHistory(noFitness());
  /** Best fitness of any member so far; negative infinity if there is none. */
  #best = Number.NEGATIVE_INFINITY;
  #draft: RunViewState = EMPTY_VIEW;
  /** Events received before the snapshot; null once the snapshot is loaded. */
  #early: RunEvent[] | null = null;
  #clock: UpdateClock | null = null;

  /** Fitness of all generations; `view.version` changes when it grows. */
  get columns(): FitnessColumns {
    return this.#numbers.columns;
  }

  /**
   * Loads the run. Never rejects: the view reports a failure.
   * @param page Reads reports of past generations on demand.
   * @param history Reads the columns of all generations on demand.
   */
  async open(load: () => Promise<RunSnapshot>, page: LoadReports, history: LoadHistory): Promise<void> {
    this.reports = new ReportPager(page);
    const clock = createUpdateClock(() => this.view.setState(this.#draft, true));
    this.#clock = clock;
    this.#early = [];
    try {
      const snapshot = await load();
      if (this.#clock !== clock) return;
      this.#fill(snapshot);
      this.#loadHistory = history;
    } catch (error) {
      this.#draft = { ...EMPTY_VIEW, phase: "failed", problem: messageOf(error) };
    }
    const early = this.#early ?? [];
    this.#early = null;
    for (const event of early) this.apply(event);
    this.view.setState(this.#draft, true);
    // Most views show it, and their code loads meanwhile.
    if (this.#draft.phase === "ready") void this.history.catchUp();
  }

  apply(event: RunEvent): void {
    if (this.#early !== null) {
      this.#early.push(event);
      return;
    }
    if (this.#draft.phase !== "ready") return;
    const isAwaited = event.kind === "progress" && this.#draft.progress === null;
    this.#draft = this.#next(event);
    // The effect of a user's own action should show immediately, as should the first points.
    if (isAwaited || event.kind === "state" || event.kind === "unsaved")
      this.view.setState(this.#draft, true);
    else this.#clock?.request();
  }

  close(): void {
    this.#clock?.stop();
    this.#clock = null;
  }

  #fill(snapshot: RunSnapshot): void {
    const { summary, manifest, options, columns, latest, progress, device, notices, completions, failure } =
      snapshot;
    const { total_steps } = snapshot;
    this.#numbers = new GrowingHistory(columns);
    this.#best = bestOf(columns.fitness);
    if (latest !== null) this.reports.add(latest);
    this.#draft = {
      ...EMPTY_VIEW,
      phase: "ready",
      summary,
      manifest,
      options,
      progress,
      total_steps,
      device,
      notices: notices.slice(-MAX_NOTICES),
      completions,
      failure,
      latest,
      version: columns.generations,
    };
  }

  #addGeneration(report: GenerationReport): void {
    if (!this.#numbers.append(report)) return;
    this.#best = Math.max(this.#best, bestOf(report.fitnesses));
    this.reports.add(report);
  }

  #next(event: RunEvent): RunViewState {
    const draft = this.#draft;
    const summary = draft.summary && { ...draft.summary, ...fieldsSetBy(event) };
    switch (event.kind) {
      case "generation": {
        this.#addGeneration(event.report);
        const { report } = event;
        const isNews = report.generation > (draft.latest?.generation ?? 0);
        return {
          ...draft,
          summary: summary && withGeneration(summary, report, this.#best),
          latest: isNews ? report : draft.latest,
          // The report has those of its generation.
          episodes: [],
          version: this.#numbers.length,
        };
      }
      case "progress":
        return { ...draft, progress: event.report, episodes: withEpisodes(draft.episodes, event.report) };
      case "completions":
        return { ...draft, completions: withCompletions(draft.completions, event.report) };
      case "state":
        return { ...draft, summary, failure: event.failure };
      case "explaining":
        return { ...draft, explaining: event.explaining };
      case "notice":
        return { ...draft, notices: [...draft.notices, event.notice].slice(-MAX_NOTICES) };
      case "device":
        return { ...draft, device: event.device };
      case "fetch":
      case "unsaved":
      case "note":
        return { ...draft, summary };
      case "checkpoint":
        return {
          ...draft,
          summary: summary && {
            ...summary,
            last_checkpoint: {
              generation: event.generation,
              global_step: event.global_step,
              at: Date.now(),
            },
          },
        };
      case "summary":
        return { ...draft, summary: event.summary };
      case "steering":
        return { ...draft, steered: draft.steered + 1 };
    }
  }
}

const notOpen: LoadHistory = async () => {
  throw new Error("The run is not open yet.");
};

const bestOf = (fitnesses: Iterable<number>): number => {
  let best = Number.NEGATIVE_INFINITY;
  for (const fitness of fitnesses) if (Number.isFinite(fitness) && fitness > best) best = fitness;
  return best;
};

function withGeneration(summary: RunSummary, report: GenerationReport, best: number): RunSummary {
  return {
    ...summary,
    generation: report.generation,
    global_step: report.global_step,
    best_fitness: Number.isFinite(best) ? best : null,
  };
}

/** Maximum number of episodes kept of the generation that is being trained; the newest stay. */
const MOST_EPISODES = 4000;

function withEpisodes(
  known: readonly TrainingEpisode[],
  { episodes = [] }: ProgressReport,
): readonly TrainingEpisode[] {
  return episodes.length === 0 ? known : [...known, ...episodes].slice(-MOST_EPISODES);
}
