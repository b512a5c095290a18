import { mutationKindAt } from "../../../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../../../training/loop.ts";

export interface Ancestor {
  readonly generation: number;
  readonly slot: number;
  /** The agent's index. */
  readonly index: number;
  readonly fitness: number;
  /** Label of the mutation that it began this generation with; "None" if it continued unchanged. */
  readonly mutation: string;
}

/** Maximum number of ancestors shown, and of generations searched for them. */
export const MAX_ANCESTORS = 12;

/**
 * A member and its ancestors, newest first, as far as the generations reach. A member that selection left in
 * place keeps its index, so its own earlier generations count too.
 *
 * @param generations the member's generation and those before it without gaps, newest first
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
    const before: readonly MemberReport[] = generations[index + 1]?.members ?? [];
    const earlier = before.find((candidate) => candidate.index === identity)?.mutation;
    const kind = mutationKindAt(found, earlier);
    line.push({ generation, slot, index: identity, fitness, mutation: kind === "none" ? "None" : mutation });
    found =
      before.find((candidate) => candidate.index === parent) ??
      before.find((candidate) => candidate.index === identity);
  }
  return line;
}
