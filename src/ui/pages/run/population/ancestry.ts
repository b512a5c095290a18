import type { GenerationReport, MemberReport } from "../../../../training/loop/observer.ts";

export interface Ancestor {
  readonly generation: number;
  readonly slot: number;
  /** Its identity. */
  readonly index: number;
  readonly fitness: number;
  readonly mutation: string;
}

/** Ancestors shown of one member, and generations that they are in at most. */
export const MAX_ANCESTORS = 12;

/**
 * A member and those it was cloned from, newest first, as far as the generations reach. A member that selection
 * left in place keeps its identity, so its own earlier selves count too.
 *
 * @param generations the member's own, and those before it without a gap, newest first
 */
export function ancestry(
  generations: readonly GenerationReport[],
  member: MemberReport,
): readonly Ancestor[] {
  const line: Ancestor[] = [];
  let found: MemberReport | undefined = member;
  for (const [index, { generation }] of generations.slice(0, MAX_ANCESTORS).entries()) {
    if (found === undefined) break;
    const { slot, fitness, mutation, parent, index: identity }: MemberReport = found;
    line.push({ generation, slot, index: identity, fitness, mutation });
    const before: readonly MemberReport[] = generations[index + 1]?.members ?? [];
    found =
      before.find((candidate) => candidate.index === parent) ??
      before.find((candidate) => candidate.index === identity);
  }
  return line;
}
