import { mutationKindAt } from "../../../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { firstCellOf, lastCellOf } from "../../../series/historyCells.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** The agent that represents a selected agent in a generation. */
export interface MemberAt {
  readonly index: number;
  /** Whether it is the agent itself, its ancestor, or the first of its descendants. */
  readonly as: "itself" | "ancestor" | "descendant";
}

type Columns = Pick<HistoryColumns, "index" | "population">;

/**
 * The agent that represents another in a generation: the agent itself, its ancestor before its birth, or its
 * heir after its end, which keeps its colour. Null if its lineage has ended or the agent is unknown.
 */
export function memberAt(columns: Columns, graph: LineageGraph, agent: number, row: number): MemberAt | null {
  const { index, population } = columns;
  const named = (cell: number, as: MemberAt["as"]): MemberAt | null => {
    const found = index[cell];
    return found === undefined ? null : { index: found, as };
  };
  const last = lastCellOf(columns, agent, row);
  if (last === null) {
    let cell = firstCellOf(columns, agent) ?? -1;
    while (cell >= (row + 1) * population) cell = graph.before(cell);
    return cell < 0 ? null : named(cell, "ancestor");
  }
  let cell = last;
  while (cell < row * population) {
    const next = heirOf(graph, cell);
    if (next < 0) return null;
    cell = next;
  }
  return named(cell, cell === last ? "itself" : "descendant");
}

/** The first cell of the next generation that descends from a cell; -1 for none. */
function heirOf(graph: LineageGraph, cell: number): number {
  const start = (Math.floor(cell / graph.population) + 1) * graph.population;
  for (let next = start; next < start + graph.population; next += 1)
    if (graph.before(next) === cell) return next;
  return -1;
}

interface Ancestor {
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
