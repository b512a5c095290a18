/** The events of a run, and how they are stored in its log. */

import type { LoggedEvent, LogPlace, RunEvent } from "../../storage/index.ts";
import {
  type AgentColumns,
  Column,
  type FitnessColumns,
  type GenerationRow,
  GrowingHistory,
  generationRows,
  noFitness,
  storedRow,
} from "../../tracking/clients.ts";
import { loggedCompletions, withCompletions } from "../../tracking/history.ts";
import type { CompletionsReport, GenerationReport } from "../../tracking/observer.ts";
import type { SteeringEntry } from "../../training/loop.ts";
import { type Notice, SPARKLINE_POINTS } from "../protocol/runs.ts";

export type HistoryEvent = RunEvent &
  (
    | { readonly type: "generation"; readonly report: GenerationReport }
    | { readonly type: "notice"; readonly notice: Notice }
    | { readonly type: "completions"; readonly report: CompletionsReport }
    /** The run resumed from this generation; later generations in the log are run again. */
    | { readonly type: "resumed"; readonly generation: number }
    /** The user changed the population at this generation's end. */
    | ({ readonly type: "steering" } & SteeringEntry)
    /** Generations whose reports were lost before they could be written, or with an earlier log. */
    | { readonly type: "past"; readonly generations: readonly GenerationRow[] }
  );

/** Maximum number of notices kept for display. */
const MAX_NOTICES = 200;
/** Full reports of the newest generations in memory; other reports are in the log. */
const RECENT_REPORTS = 16;
/** Maximum full reports in memory while the log cannot be written; of older ones only the columns stay. */
const UNWRITTEN_REPORTS = 512;

/** The events; if more than `kept` reports wait to be written, the oldest become rows. */
export function withinMemory(events: readonly HistoryEvent[], kept = UNWRITTEN_REPORTS): HistoryEvent[] {
  let excess = events.filter(({ type }) => type === "generation").length - kept;
  if (excess <= 0) return [...events];
  const thin: HistoryEvent[] = [];
  let rows: GenerationRow[] | null = null;
  for (const event of events) {
    if (event.type === "past" || (event.type === "generation" && excess > 0)) {
      if (rows === null) {
        rows = [];
        thin.push({ type: "past", generations: rows });
      }
      rows.push(...(event.type === "past" ? event.generations : [storedRow(event.report)]));
      if (event.type === "generation") excess -= 1;
    } else {
      rows = null;
      thin.push(event);
    }
  }
  return thin;
}

/** Columns of all generations, and full reports of only the newest, to limit memory. */
export class RunHistory {
  readonly #numbers = new GrowingHistory<AgentColumns>({ ...noFitness(), agent_fitness: {} });
  /** Log segment and sequence number of each report; the segment is NaN if the report is not in the log. */
  readonly #part = new Column(new Float64Array());
  readonly #seq = new Column(new Float64Array());
  /** By generation, in order: the newest reports, and those that are not in the log yet. */
  readonly #reports = new Map<number, GenerationReport>();
  #notices: Notice[] = [];
  readonly #steering: SteeringEntry[] = [];
  #completions: readonly CompletionsReport[] = [];
  /** Generation of the latest completions passed to the log. */
  #loggedCompletions = 0;
  #best = Number.NEGATIVE_INFINITY;

  get length(): number {
    return this.#numbers.length;
  }

  /** Population size; 0 before the first generation. */
  get population(): number {
    return this.#numbers.population;
  }

  /** Number of full reports in memory. */
  get held(): number {
    return this.#reports.size;
  }

  /** The report of the last generation; null if there is none, or if only its numbers are known. */
  get latest(): GenerationReport | null {
    return this.#reports.get(this.#numbers.last) ?? null;
  }

  /** Newest last. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** All changes that the user made. A resumed run repeats them, so none is ever dropped. */
  get steering(): readonly SteeringEntry[] {
    return this.#steering;
  }

  /** The latest completions, newest last. */
  get completions(): readonly CompletionsReport[] {
    return this.#completions;
  }

  /**
   * The latest completions as an event for the log; null if they were already passed to it, or
   * if there are none.
   */
  completionsToLog(): HistoryEvent | null {
    const latest = this.#completions.at(-1);
    if (!latest || latest.generation <= this.#loggedCompletions) return null;
    this.#loggedCompletions = latest.generation;
    return { type: "completions", report: loggedCompletions(latest) };
  }

  /** Best fitness of any member so far; null if there is none. */
  get best(): number | null {
    return Number.isFinite(this.#best) ? this.#best : null;
  }

  /** A copy of the numbers of all generations, without those of the members' agents. */
  columns(): FitnessColumns {
    const { agent_fitness: _, ...columns } = this.#numbers.copy();
    return columns;
  }

  /** What is known of every generation, even if its report is lost, in order. */
  rows(): GenerationRow[] {
    return [...generationRows(this.#numbers.columns)];
  }

  /** Number of generations from `generation` on. */
  lengthFrom(generation: number): number {
    return this.length - this.#lengthTo(generation - 1);
  }

  /** Best fitness of each of at most `SPARKLINE_POINTS` equal spans of generations; NaN where none is known. */
  sparkline(): Float32Array {
    const { population, fitness: all } = this.#numbers.columns;
    const points = Math.min(this.length, SPARKLINE_POINTS);
    const best = new Float32Array(points).fill(Number.NaN);
    for (let row = 0; row < this.length; row++) {
      const point = Math.floor((row * points) / this.length);
      for (let slot = 0; slot < population; slot++) {
        const fitness = all[row * population + slot] ?? Number.NaN;
        if (!(fitness <= (best[point] ?? Number.NaN)) && !Number.isNaN(fitness)) best[point] = fitness;
      }
    }
    return best;
  }

  /**
   * The full report of a generation if it is in memory, else its place in the log; null if it is in neither.
   */
  find(generation: number): GenerationReport | LogPlace | null {
    const report = this.#reports.get(generation);
    if (report) return report;
    const index = this.#numbers.rowOf(generation);
    const part = this.#part.at(index);
    return Number.isNaN(part) ? null : { part, seq: this.#seq.at(index) };
  }

  /**
   * Adds an event.
   * @param place Its place in the log; omitted for an event that is not written yet.
   */
  add(event: HistoryEvent, place?: LogPlace): void {
    switch (event.type) {
      case "generation":
        if (!this.#addRow(event.report, place)) return;
        this.#reports.set(event.report.generation, event.report);
        this.#release();
        return;
      case "past":
        // These rows are newer than all reports, so the reports are no longer of the newest generations.
        if (event.generations.map((row) => this.#addRow(row)).includes(true)) this.#reports.clear();
        return;
      case "notice":
        this.#notices = [...this.#notices, event.notice].slice(-MAX_NOTICES);
        return;
      case "steering":
        this.#steering.push({ generation: event.generation, action: event.action });
        return;
      case "completions":
        this.#completions = withCompletions(this.#completions, event.report);
        if (place) this.#loggedCompletions = event.report.generation;
        return;
      case "resumed":
        this.#cut(event.generation);
    }
  }

  /** Records that events were written to the log, consecutively from `place` on. */
  written(events: readonly HistoryEvent[], place: LogPlace | null): void {
    if (place === null) return;
    for (const [position, event] of events.entries()) {
      if (event.type !== "generation") continue;
      const index = this.#numbers.rowOf(event.report.generation);
      if (index < 0) continue;
      this.#part.set(index, place.part);
      this.#seq.set(index, place.seq + position);
    }
    this.#release();
  }

  /**
   * The whole history as events for a new log, after the old one was deleted. Reports that are not
   * in memory become rows.
   */
  retold(): HistoryEvent[] {
    for (let index = 0; index < this.length; index += 1) this.#part.set(index, Number.NaN);
    const past = this.rows().filter(({ generation }) => !this.#reports.has(generation));
    this.#loggedCompletions = 0;
    const completions = this.completionsToLog();
    return [
      ...this.#notices.map((notice) => ({ type: "notice", notice }) as const),
      ...this.#steering.map((entry) => ({ type: "steering", ...entry }) as const),
      ...inParts(past).map((generations) => ({ type: "past", generations }) as const),
      ...[...this.#reports.values()].map((report) => ({ type: "generation", report }) as const),
      ...(completions ? [completions] : []),
    ];
  }

  /** Whether the generation is new. */
  #addRow(row: GenerationRow, place?: LogPlace): boolean {
    // Events whose write was not confirmed are written again, so the log may repeat a generation.
    if (!this.#numbers.append(row)) return false;
    this.#part.push(place?.part ?? Number.NaN);
    this.#seq.push(place?.seq ?? Number.NaN);
    for (const fitness of row.fitnesses) if (fitness > this.#best) this.#best = fitness;
    return true;
  }

  /** Drops the generations after `generation`. */
  #cut(generation: number): void {
    const length = this.#lengthTo(generation);
    for (const dropped of this.#numbers.columns.generation.subarray(length)) this.#reports.delete(dropped);
    this.#numbers.truncate(length);
    for (const column of [this.#part, this.#seq]) column.truncate(length);
    this.#completions = this.#completions.filter((report) => report.generation <= generation);
    this.#loggedCompletions = Math.min(this.#loggedCompletions, generation);
    this.#best = Number.NEGATIVE_INFINITY;
    for (const fitness of this.#numbers.columns.fitness) if (fitness > this.#best) this.#best = fitness;
  }

  /** Number of generations up to `generation`. */
  #lengthTo(generation: number): number {
    const { generation: all } = this.#numbers.columns;
    return all.findLastIndex((one) => one <= generation) + 1;
  }

  /** Releases the oldest reports that are in the log, and unwritten ones above the limit. */
  #release(): void {
    for (const generation of this.#reports.keys()) {
      if (this.#reports.size <= RECENT_REPORTS) return;
      const isWritten = !Number.isNaN(this.#part.at(this.#numbers.rowOf(generation)));
      if (!isWritten && this.#reports.size <= UNWRITTEN_REPORTS) return;
      this.#reports.delete(generation);
    }
  }
}

/** Maximum rows per event, to limit its size. */
const EVENT_ROWS = 500;

const inParts = (rows: readonly GenerationRow[]): (readonly GenerationRow[])[] =>
  Array.from({ length: Math.ceil(rows.length / EVENT_ROWS) }, (_, part) =>
    rows.slice(part * EVENT_ROWS, (part + 1) * EVENT_ROWS),
  );

/** Log records have a checksum, so the type alone identifies their content. */
const isHistoryEvent = (event: RunEvent): event is HistoryEvent =>
  ["generation", "notice", "completions", "resumed", "past", "steering"].includes(event.type);

/** The event of a log record; null for other types. */
export const historyEventOf = ({ event }: LoggedEvent): HistoryEvent | null =>
  isHistoryEvent(event) ? event : null;
