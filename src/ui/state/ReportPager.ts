import type { GenerationReport } from "../../tracking/observer.ts";

/** Number of reports read at once, in blocks aligned to multiples of this size. */
const BLOCK = 16;
/** Number of reports kept of the newest generations, to show a member's ancestors. */
const RECENT = 16;
/** Maximum number of earlier reports kept in memory. */
const PAGED = 64;

/** Reads the reports from one generation to another, leaving out those that can no longer be read. */
export type LoadReports = (first: number, last: number) => Promise<readonly GenerationReport[]>;

/** Full reports of a run's generations: the newest ones, and earlier ones loaded on demand. */
export class ReportPager {
  readonly #load: LoadReports;
  readonly #recent = new Map<number, GenerationReport>();
  readonly #paged = new Map<number, GenerationReport>();
  /** Blocks that are loading. */
  readonly #loading = new Map<number, Promise<void>>();

  constructor(load: LoadReports) {
    this.#load = load;
  }

  /** Number of full reports in memory. */
  get held(): number {
    return this.#recent.size + this.#paged.size;
  }

  /** Adds the report of the newest generation. */
  add(report: GenerationReport): void {
    put(this.#recent, report, RECENT);
  }

  /** The report of a generation, if it is in memory. */
  get(generation: number): GenerationReport | undefined {
    return this.#recent.get(generation) ?? this.#paged.get(generation);
  }

  /**
   * Loads the reports from `first` to `last`, which should be at most half of the number kept in memory.
   * Rejects if reading fails.
   */
  async load(first: number, last: number): Promise<void> {
    const wanted: Promise<void>[] = [];
    for (let block = Math.floor(first / BLOCK); block * BLOCK <= last; block += 1) {
      const [from, to] = [Math.max(first, block * BLOCK), Math.min(last, block * BLOCK + BLOCK - 1)];
      for (let generation = from; generation <= to; generation += 1) {
        if (this.get(generation) !== undefined) continue;
        wanted.push(this.#loadBlock(block));
        break;
      }
    }
    await Promise.all(wanted);
  }

  #loadBlock(block: number): Promise<void> {
    const under = this.#loading.get(block);
    if (under !== undefined) return under;
    const loading = this.#load(block * BLOCK, block * BLOCK + BLOCK - 1)
      .then((reports) => {
        for (const report of reports) put(this.#paged, report, PAGED);
      })
      .finally(() => this.#loading.delete(block));
    this.#loading.set(block, loading);
    return loading;
  }
}

/** Adds a report as the most recent entry, and evicts the oldest beyond `limit`. */
function put(reports: Map<number, GenerationReport>, report: GenerationReport, limit: number): void {
  reports.delete(report.generation);
  reports.set(report.generation, report);
  for (const generation of reports.keys()) {
    if (reports.size <= limit) return;
    reports.delete(generation);
  }
}
