import { useMemo, useState } from "react";
import { lastCellOf } from "../../../series/historyCells.ts";
import { LineageGraph } from "../descent/LineageGraph.ts";
import { lineageFate } from "../descent/lineageFate.ts";
import type { ShownHistory } from "../history/WithHistory.tsx";
import type { Descendants } from "./descentModel.ts";

/**
 * The lines of descent in a history, seen from the shown generation.
 * @param member index of the selected agent
 */
export function useDescendants({ columns, history, row }: ShownHistory, member: number | null): Descendants {
  const [graph] = useState(() => new LineageGraph());
  return useMemo(() => {
    graph.catchUp(columns);
    const chosen = member === null ? null : lastCellOf(columns, member, row);
    return {
      columns,
      graph,
      fate: lineageFate(graph, columns, row),
      colours: history.colours,
      selected: chosen === null ? null : ancestorsOf(graph, chosen),
    };
  }, [graph, columns, history, row, member]);
}

/** By row, the cell of an agent or of its ancestor; -1 for rows without one. */
function ancestorsOf(graph: LineageGraph, cell: number): Int32Array {
  const cells = new Int32Array(graph.generations).fill(-1);
  for (let at = cell; at >= 0; at = graph.before(at)) cells[Math.floor(at / graph.population)] = at;
  return cells;
}
