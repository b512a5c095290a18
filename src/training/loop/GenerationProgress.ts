import type { MemberProgress, ProgressReport } from "../../tracking/observer.ts";
import type { Member, Slice } from "./Workload.ts";

/** Milliseconds between two progress reports. */
const REPORT_MS = 250;

/** Counts the work and the time of a generation, and of each member if slices name their member. */
export class GenerationProgress {
  readonly #start = performance.now();
  #reported = this.#start;
  #env_steps = 0;
  #learn_steps = 0;
  readonly #members: { steps: number; score: number | null; index: number; parent: number | null }[];
  #namesMembers = false;

  constructor(members: readonly Pick<Member, "index" | "parent">[]) {
    this.#members = members.map(({ index, parent }) => ({ index, parent, steps: 0, score: null }));
  }

  add({ slot, env_steps, learn_steps, score }: Slice): void {
    this.#env_steps += env_steps;
    this.#learn_steps += learn_steps;
    const member = slot === undefined ? undefined : this.#members[slot];
    if (!member) return;
    this.#namesMembers = true;
    member.steps += env_steps;
    if (score !== undefined) member.score = score;
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

  rates(): Pick<ProgressReport, "steps_per_second" | "learn_steps_per_second"> {
    const seconds = this.seconds();
    return {
      steps_per_second: this.#env_steps / seconds,
      learn_steps_per_second: this.#learn_steps / seconds,
    };
  }

  /** @param startStep The population's steps before the generation. */
  report(startStep: number): Omit<ProgressReport, "event" | "generation" | "total_steps"> {
    return {
      global_step: startStep + this.#env_steps,
      ...(this.#namesMembers && { members: this.#members.map((member): MemberProgress => ({ ...member })) }),
      ...this.rates(),
    };
  }
}
