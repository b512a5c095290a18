/** Builds the tiles of the wall from the members of a generation. */
import { geneWords } from "../../../../stage/geneWords.ts";
import { nextSeats, seated } from "../../../../stage/places.ts";
import { mutationKindOf } from "../../../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import type { AgentFile, HistoryColumns } from "../../../../workers/protocol.ts";
import type { MutationKind } from "../../../components/marks.tsx";
import type { Player } from "../../../stage/stageSettings.ts";
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
  /** The same in a few words, for its picture; null if it is an unchanged copy. */
  readonly note: string | null;
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

/** Maximum number of ancestors of a member: time-lapses skip generations. */
const FAR = 1000;

/** The columns in which ancestors are found. */
export type WallDescent = Pick<
  HistoryColumns,
  "population" | "generation" | "generations" | "index" | "parent"
>;

/** Indices of a member's ancestors, nearest first, as far as the history is loaded. */
function ancestorsOf(index: number, generation: number, columns: WallDescent | null): readonly number[] {
  if (columns === null) return [];
  const { population } = columns;
  const ancestors: number[] = [];
  let current = index;
  for (let row = columns.generation.indexOf(generation); row >= 0 && ancestors.length < FAR; row -= 1) {
    const start = row * population;
    const slot = columns.index.subarray(start, start + population).indexOf(current);
    if (slot < 0) break;
    const parent = columns.parent[start + slot] ?? -1;
    if (parent < 0 || parent === current) continue;
    current = parent;
    ancestors.push(current);
  }
  return ancestors;
}

/** A member of the wall as a player of its stage. */
export const playerOf = ({ index, file, colour, ancestors, note, elite }: WallMember): Player => ({
  key: String(index),
  file,
  colour,
  ancestors: ancestors.map(String),
  note,
  champion: elite,
});

/** What is known of a run whose members are on the wall. */
interface WallRun {
  readonly reportOf: ReportOf;
  /** The history's columns; null before they are loaded. */
  readonly columns: WallDescent | null;
  readonly colourOf: (index: number, slot: number) => number;
}

/**
 * The members of the given files in the order of their tiles: by slot at first, then descendants at their ancestors' ranks.
 * @param before The members on the wall.
 */
export function wallMembers(
  files: readonly AgentFile[],
  before: readonly WallMember[],
  { reportOf, columns, colourOf }: WallRun,
): readonly WallMember[] {
  const ranks = ranksOf(files);
  const members = files.map((file, slot): WallMember => {
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
      ancestors: ancestorsOf(index, generation, columns),
      tag: report && isClone ? mutationTag(member, report) : null,
      note: report && isClone ? noteOf(member, report) : null,
      file,
    };
  });
  const keyed = (member: WallMember) => ({
    key: String(member.index),
    fitness: member.fitness,
    champion: member.elite,
    ancestors: member.ancestors.map(String),
  });
  return before.length === 0 ? members : seated(members, nextSeats(before.map(keyed), members.map(keyed)));
}

/** The mutation of a member when it was cloned, in a few words. */
function noteOf(
  { index, mutation, mutation_detail, hyperparameters }: MemberReport,
  { lineage }: GenerationReport,
): string | null {
  const kind = mutation_detail?.kind ?? mutationKindOf(mutation, hyperparameters);
  const { from, to } = lineage.find((event) => event.index === index)?.hyperparameters[mutation] ?? {};
  const known = typeof from === "number" && typeof to === "number" ? { from, to } : {};
  return geneWords({ ...known, ...(mutation_detail ?? { kind }) }, mutation);
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
