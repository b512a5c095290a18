import { AgentColumns } from "../../tracking/AgentColumns.ts";
import type { GenerationRow } from "../../tracking/generationColumns.ts";
import { NumberColumn } from "../../tracking/NumberColumn.ts";
import type { ChartAxis } from "../routes/route.ts";
import { SpreadColumns } from "./SpreadColumns.ts";

/** Members that a chart can show by a line each; of more it shows the spread. */
export const MAX_LINES = 32;

/**
 * The fitness of every slot over the generations of a run, kept outside the page's state because it grows.
 * Fitnesses that are no number (a member that failed) are NaN.
 */
export class FitnessSeries {
  readonly slots: readonly NumberColumn[];
  readonly mean = new NumberColumn();
  /** Standard deviation over the population. */
  readonly deviation = new NumberColumn();
  /** Best fitness of any member so far. */
  readonly best = new NumberColumn();
  /** Indices of the generations in which any member has a fitness: language models are not evaluated in each. */
  readonly evaluated = new NumberColumn();
  /** Of each of several agents that live in a member; empty where that is one. */
  readonly agents = new AgentColumns();
  /** Kept of more than {@link MAX_LINES} members only; else null. */
  readonly spread: SpreadColumns | null;
  readonly #axes: Readonly<Record<ChartAxis, NumberColumn>> = {
    generation: new NumberColumn(),
    steps: new NumberColumn(),
    time: new NumberColumn(),
  };

  constructor(slots: number) {
    this.slots = Array.from({ length: slots }, () => new NumberColumn());
    this.spread = slots > MAX_LINES ? new SpreadColumns() : null;
  }

  get length(): number {
    return this.mean.length;
  }

  /** Positions on a horizontal axis: population's environment steps, generations, or seconds of training. */
  axis(name: ChartAxis): NumberColumn {
    return this.#axes[name];
  }

  /** Adds a generation; one that is not newer than the last is left out, as events may repeat a snapshot. */
  append(report: GenerationRow): boolean {
    const last = this.length - 1;
    if (last >= 0 && report.generation <= this.#axes.generation.at(last)) return false;
    this.#axes.generation.push(report.generation);
    this.#axes.steps.push(report.global_step);
    this.#axes.time.push((last < 0 ? 0 : this.#axes.time.at(last)) + report.seconds);
    for (const [slot, column] of this.slots.entries()) column.push(report.fitnesses[slot] ?? Number.NaN);
    this.agents.push(report, this.slots.length);
    if (report.fitnesses.some(Number.isFinite)) this.evaluated.push(last + 1);
    this.#summarise(report.fitnesses.filter(Number.isFinite), last);
    return true;
  }

  #summarise(finite: readonly number[], last: number): void {
    const count = finite.length;
    const mean = finite.reduce((sum, value) => sum + value, 0) / count;
    const variance = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
    this.spread?.push(finite);
    this.mean.push(mean);
    this.deviation.push(Math.sqrt(variance));
    const before = last < 0 ? Number.NEGATIVE_INFINITY : this.best.at(last);
    const best = Math.max(Number.isNaN(before) ? Number.NEGATIVE_INFINITY : before, ...finite);
    this.best.push(best === Number.NEGATIVE_INFINITY ? Number.NaN : best);
  }
}
