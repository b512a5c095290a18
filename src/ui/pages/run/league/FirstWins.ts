import type { GenerationReport } from "../../../../tracking/observer.ts";
import type { ReportPager } from "../../../state/ReportPager.ts";
import { beatenRules, type FirstWin, rulesIn } from "./leagueModel.ts";

/** Reports that are read at once. */
const BLOCK = 16;

/** When a run first beat each rule. It reads reports in order, and none once all rules are beaten. */
export class FirstWins {
  readonly #reports: Pick<ReportPager, "get" | "load">;
  readonly #wins = new Map<string, FirstWin>();
  readonly #rules = new Set<string>();
  /** The next generation to read. */
  #next = 1;

  constructor(reports: Pick<ReportPager, "get" | "load">) {
    this.#reports = reports;
  }

  /** @param last The newest generation. @throws Error when reports cannot be read. */
  async until(last: number): Promise<readonly FirstWin[]> {
    while (this.#next <= last && !this.#isOver) {
      const end = Math.min(last, this.#next + BLOCK - 1);
      await this.#reports.load(this.#next, end);
      for (; this.#next <= end; this.#next += 1) this.#add(this.#reports.get(this.#next));
    }
    return [...this.#wins.values()];
  }

  get #isOver(): boolean {
    return this.#rules.size > 0 && this.#wins.size === this.#rules.size;
  }

  #add(report: GenerationReport | undefined): void {
    if (!report?.league) return;
    const { league } = report;
    for (const rule of rulesIn(league)) this.#rules.add(rule);
    for (const win of beatenRules({ ...report, league }))
      if (!this.#wins.has(win.rule)) this.#wins.set(win.rule, win);
  }
}
