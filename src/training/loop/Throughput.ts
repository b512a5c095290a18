import type { Slice } from "./Workload.ts";

/** Milliseconds between two progress reports. */
const REPORT_MS = 250;

/** Counts the work and time of a generation. */
export class Throughput {
  readonly #start = performance.now();
  #reported = this.#start;
  env_steps = 0;
  learn_steps = 0;

  add({ env_steps, learn_steps }: Slice): void {
    this.env_steps += env_steps;
    this.learn_steps += learn_steps;
  }

  /** Whether it is time for a progress report. */
  due(): boolean {
    const now = performance.now();
    if (now - this.#reported < REPORT_MS) return false;
    this.#reported = now;
    return true;
  }

  seconds(): number {
    return Math.max(performance.now() - this.#start, 0.001) / 1000;
  }

  rates(): { steps_per_second: number; learn_steps_per_second: number } {
    const seconds = this.seconds();
    return { steps_per_second: this.env_steps / seconds, learn_steps_per_second: this.learn_steps / seconds };
  }
}
