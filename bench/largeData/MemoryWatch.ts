import { readFileSync } from "node:fs";
import { processTree } from "../../scripts/lib/processTree.mjs";

const EVERY_MS = 200;

/** Bytes that all processes started by this one hold, what they share counted once. */
function held(): number {
  let kilobytes = 0;
  for (const pid of processTree(process.pid)) {
    if (pid === process.pid) continue;
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return 1024 * kilobytes;
}

/** Looks again and again at the memory of the processes that this one started. */
export class MemoryWatch {
  readonly #before = held();
  #peak = this.#before;
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  /** Bytes when it began, and at most since. */
  end(): { readonly before: number; readonly peak: number } {
    clearInterval(this.#timer);
    this.#look();
    return { before: this.#before, peak: this.#peak };
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, held());
  }
}
