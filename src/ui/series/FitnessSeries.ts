import { AgentColumns, type GenerationRow, NumberColumn } from "../../tracking/history.ts";
import type { ChartAxis } from "../routes/route.ts";

/**
 * The fitness of every slot over the generations of a run, kept outside the page's state because it grows. A
 * missing fitness (of a failed member) is NaN.
 */
export class FitnessSeries {
  readonly slots: readonly NumberColumn[];
  /** Best fitness of any member so far. */
  readonly best = new NumberColumn();
  /** Fitness of each agent of a member; empty if members are single agents. */
  readonly agents = new AgentColumns();
  readonly #axes: Readonly<Record<ChartAxis, NumberColumn>> = {
    generation: new NumberColumn(),
    steps: new NumberColumn(),
    time: new NumberColumn(),
  };

  constructor(slots: number) {
    this.slots = Array.from({ length: slots }, () => new NumberColumn());
  }

  get length(): number {
    return this.best.length;
  }

  /**
   * Positions on a horizontal axis: the population's environment steps, generations, or seconds of training.
   */
  axis(name: ChartAxis): NumberColumn {
    return this.#axes[name];
  }

  /**
   * Adds a generation. One that is not newer than the last is ignored, because events may repeat a snapshot.
   * @returns whether it was added
   */
  append(report: GenerationRow): boolean {
    const last = this.length - 1;
    if (last >= 0 && report.generation <= this.#axes.generation.at(last)) return false;
    this.#axes.generation.push(report.generation);
    this.#axes.steps.push(report.global_step);
    this.#axes.time.push((last < 0 ? 0 : this.#axes.time.at(last)) + report.seconds);
    for (const [slot, column] of this.slots.entries()) column.push(report.fitnesses[slot] ?? Number.NaN);
    this.agents.push(report, this.slots.length);
    const before = last < 0 ? Number.NaN : this.best.at(last);
    const known = [before, ...report.fitnesses].filter(Number.isFinite);
    this.best.push(known.length === 0 ? Number.NaN : Math.max(...known));
    return true;
  }
}
