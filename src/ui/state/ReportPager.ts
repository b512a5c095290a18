import type { GenerationReport } from "../../training/loop/observer.ts";

/** Reports read at once, in blocks that begin at multiples of it. */
const BLOCK = 16;
/** Reports of the newest generations, for a member's ancestors to be at hand. */
const RECENT = 16;
/** Earlier reports that were looked at. */
const PAGED = 64;

/** Gives the reports from one generation to another, of those that can still be read. */
export type LoadReports = (first: number, last: number) => Promise<readonly GenerationReport[]>;

/** Full reports of a run's generations: the newest, and earlier ones while they are looked at. */
export class ReportPager {
  readonly #load: LoadReports;
  readonly #recent = new Map<number, GenerationReport>();
  readonly #paged = new Map<number, GenerationReport>();
  /** Blocks that are on their way. */
  readonly #loading = new Map<number, Promise<void>>();

  constructor(load: LoadReports) {
    this.#load = load;
  }

  /** Number of full reports in memory. */
  get held(): number {
    return this.#recent.size + this.#paged.size;
  }

  /** Takes in the report of the newest generation. */
  add(report: GenerationReport): void {
    put(this.#recent, report, RECENT);
  }

  /** The report of a generation if it is at hand. */
  get(generation: number): GenerationReport | undefined {
    return this.#recent.get(generation) ?? this.#paged.get(generation);
  }

  /** Brings the reports from `first` to `last` to hand, no more than half of what is kept. Rejects when that fails. */
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

/** Adds a report as the newest of at most `limit`. */
function put(reports: Map<number, GenerationReport>, report: GenerationReport, limit: number): void {
  reports.delete(report.generation);
  reports.set(report.generation, report);
  for (const generation of reports.keys()) {
    if (reports.size <= limit) return;
    reports.delete(generation);
  }
}
