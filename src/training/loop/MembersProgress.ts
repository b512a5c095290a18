import type { MemberProgress, ProgressReport } from "./observer.ts";
import type { Member, Slice } from "./Workload.ts";

/** Progress of each member within a generation, if slices name their member. */
export class MembersProgress {
  readonly #members: { steps: number; score: number | null; index: number; parent: number | null }[];
  #isKnown = false;

  constructor(members: readonly Pick<Member, "index" | "parent">[]) {
    this.#members = members.map(({ index, parent }) => ({ index, parent, steps: 0, score: null }));
  }

  add({ slot, env_steps, score }: Slice): void {
    const member = slot === undefined ? undefined : this.#members[slot];
    if (!member) return;
    this.#isKnown = true;
    member.steps += env_steps;
    if (score !== undefined) member.score = score;
  }

  /** Progress by slot; empty if slices do not name their member. */
  report(): Pick<ProgressReport, "members"> {
    return this.#isKnown ? { members: this.#members.map((member): MemberProgress => ({ ...member })) } : {};
  }
}
