import { readFileSync } from "node:fs";
import { processTree } from "../../scripts/lib/processTree.mjs";

const EVERY_MS = 200;

/** Memory in bytes of all descendant processes, with shared memory counted once. */
function held(): number {
  let kilobytes = 0;
  for (const pid of processTree(process.pid)) {
    if (pid === process.pid) continue;
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // The process has ended in the meantime.
    }
  }
  return 1024 * kilobytes;
}

/** Polls the memory of this process's descendants. */
export class MemoryWatch {
  readonly #before = held();
  #peak = this.#before;
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  /** Stops polling. @returns the bytes at the start, and the peak since. */
  end(): { readonly before: number; readonly peak: number } {
    clearInterval(this.#timer);
    this.#look();
    return { before: this.#before, peak: this.#peak };
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, held());
  }
}
