import { useCallback } from "react";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import { structureOf } from "../network/useNetworks.ts";

/** Bytes of a weight. */
const WORD = 4;

/** Bytes of the weights of a row's members by cell, as far as reports describe their networks. */
export function useMemberBytes(
  { reports }: RunView,
  columns: HistoryColumns,
  graph: LineageGraph,
  row: number,
): ReadonlyMap<number, number> {
  const { population } = columns;
  const read = useCallback(
    async (signal: AbortSignal): Promise<ReadonlyMap<number, number>> => {
      const bytes = new Map<number, number>();
      for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
        signal.throwIfAborted();
        const networks = await structureOf(columns, graph, cell, async (generation) => {
          await reports.load(generation, generation);
          return reports.get(generation);
        });
        const parameters = networks?.reduce((sum, network) => sum + network.parameters, 0) ?? Number.NaN;
        if (Number.isFinite(parameters)) bytes.set(cell, WORD * parameters);
      }
      return bytes;
    },
    // oxlint-disable-next-line react/exhaustive-deps -- columns only grow, so the cells of a row never change
    [reports, graph, row, population],
  );
  return useAnswer(read).value ?? NONE;
}

const NONE: ReadonlyMap<number, number> = new Map();
