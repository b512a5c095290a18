/** Builds the tiles of the wall from the members of a generation. */
import { mutationKindOf } from "../../../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import type { AgentFile } from "../../../../workers/protocol.ts";
import type { MutationKind } from "../../../components/marks.tsx";
import { mutationWords } from "../descent/agentFacts.ts";

/** A short description of a member's mutation. */
interface MutationTag {
  readonly kind: MutationKind;
  readonly text: string;
}

/** A tile of the wall. */
export interface WallMember {
  /** Agent index. */
  readonly index: number;
  readonly slot: number;
  /** Index of the lineage's colour, 0 to 7. */
  readonly colour: number;
  /** 1 for the best; null before the first evaluation. */
  readonly rank: number | null;
  readonly fitness: number | null;
  /** Whether it is the elite: the first of the best, if several are equal. */
  readonly elite: boolean;
  /** Indices of its ancestors, nearest first. */
  readonly ancestors: readonly number[];
  /** The mutation of a clone that was not on the wall before; null for others. */
  readonly tag: MutationTag | null;
  readonly file: AgentFile;
}

/** Returns the report of a generation, if it is loaded. */
type ReportOf = (generation: number) => GenerationReport | undefined;

/** Ranks by fitness, 1 for the best; null without a fitness. */
function ranksOf(files: readonly AgentFile[]): readonly (number | null)[] {
  const known = files.map(({ fitness }) => (fitness === null || !Number.isFinite(fitness) ? null : fitness));
  return known.map((own) =>
    own === null ? null : 1 + known.filter((other) => other !== null && other > own).length,
  );
}

/** Maximum number of generations searched for ancestors. */
const FAR = 16;

/** Indices of a member's ancestors, nearest first, as far as reports are loaded. */
function ancestorsOf(index: number, generation: number, reportOf: ReportOf): readonly number[] {
  const ancestors: number[] = [];
  let current = index;
  for (let back = 0; back < FAR; back += 1) {
    const member = reportOf(generation - back)?.members.find((other) => other.index === current);
    if (member === undefined) break;
    if (member.parent === null || member.parent === current) continue;
    current = member.parent;
    ancestors.push(current);
  }
  return ancestors;
}

/**
 * The members of the given files, by slot.
 * @param before The members on the wall.
 */
export function wallMembers(
  files: readonly AgentFile[],
  before: readonly WallMember[],
  reportOf: ReportOf,
  colourOf: (index: number, slot: number) => number,
): readonly WallMember[] {
  const ranks = ranksOf(files);
  return files.map((file, slot): WallMember => {
    const { index, fitness, generation } = file;
    const isNew = !before.some((other) => other.index === index);
    const report = reportOf(generation);
    const member = report?.members.find((other) => other.index === index);
    const isClone = isNew && member !== undefined && member.parent !== null && member.parent !== index;
    return {
      index,
      slot,
      colour: colourOf(index, slot),
      rank: ranks[slot] ?? null,
      fitness,
      elite: slot === ranks.indexOf(1),
      ancestors: ancestorsOf(index, generation, reportOf),
      tag: report && isClone ? mutationTag(member, report) : null,
      file,
    };
  });
}

/** The mutation of a member when it was cloned. */
function mutationTag(member: MemberReport, { lineage }: GenerationReport): MutationTag {
  const { mutation, mutation_detail: detail } = member;
  const kind = detail?.kind ?? mutationKindOf(mutation, member.hyperparameters);
  const changes = lineage.find(({ index }) => index === member.index)?.hyperparameters ?? {};
  const differences = Object.entries(changes).map(([name, { from, to }]) => ({
    name,
    from: Number(from),
    to: Number(to),
  }));
  return { kind, text: mutationWords({ kind, mutation, differences }, detail ?? null) };
}
