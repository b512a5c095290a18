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
