import type { GenerationReport, MemberReport } from "../../../training/observer.ts";

export interface Ancestor {
  readonly generation: number;
  readonly slot: number;
  readonly fitness: number;
  readonly mutation: string;
}

/** Ancestors shown of one member. */
const MAX_ANCESTORS = 12;

/**
 * A member and those it was cloned from, newest first, as far as the generations reach. A member that selection
 * left in place keeps its identity, so its own earlier selves count too.
 */
export function ancestry(
  generations: readonly GenerationReport[],
  member: MemberReport,
): readonly Ancestor[] {
  const line: Ancestor[] = [];
  let wanted: MemberReport | undefined = member;
  for (let index = generations.length - 1; index >= 0 && line.length < MAX_ANCESTORS; index -= 1) {
    const report = generations[index];
    if (report === undefined || wanted === undefined) break;
    const sought: MemberReport = wanted;
    const found: MemberReport | undefined =
      report.members.find((candidate) => candidate === sought) ??
      (line.length === 0 ? undefined : report.members.find(({ index: id }) => id === sought.index));
    if (found === undefined) {
      if (line.length === 0) continue;
      break;
    }
    line.push({
      generation: report.generation,
      slot: found.slot,
      fitness: found.fitness,
      mutation: found.mutation,
    });
    const before: readonly MemberReport[] = generations[index - 1]?.members ?? [];
    wanted =
      before.find(({ index: id }) => id === found.parent) ??
      before.find(({ index: id }) => id === found.index);
  }
  return line;
}
