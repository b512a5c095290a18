import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { firstCellOf, lastCellOf } from "../../../series/shownRow.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** Who stands for a chosen agent in a generation. */
export interface MemberAt {
  readonly index: number;
  /** Whether it is the agent itself, what it came from, or the first of what came from it. */
  readonly as: "itself" | "ancestor" | "heir";
}

type Columns = Pick<HistoryColumns, "index" | "population">;

/**
 * An agent in a generation: itself, before its birth what it came from, and after its end its heir, which keeps its
 * colour. Null where its line has ended, and for one that is not known.
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
  return named(cell, cell === last ? "itself" : "heir");
}

/** The first cell of the next generation that goes on from one; -1 for none. */
function heirOf(graph: LineageGraph, cell: number): number {
  const start = (Math.floor(cell / graph.population) + 1) * graph.population;
  for (let next = start; next < start + graph.population; next += 1)
    if (graph.before(next) === cell) return next;
  return -1;
}
