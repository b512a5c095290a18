import { useCallback } from "react";
import type { NetworkStructure } from "../../../../tracking/observer.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { useAnswer } from "../../../lib/useAnswer.ts";
import type { RunView } from "../../../state/RunView.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import { type ReadReport, structureOf, structureOfText } from "./structureOf.ts";

/** The networks of an agent and of its parent. */
interface FoundNetworks {
  /** The agent's cell. */
  readonly cell: number;
  readonly now: readonly NetworkStructure[];
  /** Null if there is no parent or its networks are unknown. */
  readonly before: readonly NetworkStructure[] | null;
  /** Whether they were parsed from a line of text that has only widths. */
  readonly rough: boolean;
  /** Why no networks were found; null if some were. */
  readonly problem: string | null;
}

const LOST = "The log of this agent's generation was deleted or damaged, so its networks are unknown.";

/**
 * The networks of the agent at a cell. Until they are loaded, returns the previous ones, or null at first.
 */
export function useNetworks(
  { reports }: RunView,
  columns: HistoryColumns,
  graph: LineageGraph,
  cell: number,
  born: number,
): FoundNetworks | null {
  const find = useCallback(async (): Promise<FoundNetworks> => {
    const read: ReadReport = async (generation) => {
      await reports.load(generation, generation);
      return reports.get(generation);
    };
    const parent = graph.before(born);
    const now = await structureOf(columns, graph, cell, read);
    if (now !== null) {
      const before = parent < 0 ? null : await structureOf(columns, graph, parent, read);
      return { cell, now, before, rough: false, problem: null };
    }
    const rough = async (at: number) => {
      const report = await read(columns.generation[Math.floor(at / graph.population)] ?? 0);
      const member = report?.members.find(({ index }) => index === columns.index[at]);
      return member === undefined ? [] : structureOfText(member.architecture);
    };
    const [own, other] = [await rough(cell), parent < 0 ? [] : await rough(parent)];
    const problem = own.length === 0 ? LOST : null;
    return { cell, now: own, before: other.length === 0 ? null : other, rough: true, problem };
    // oxlint-disable-next-line react/exhaustive-deps -- columns only grow, so a cell never changes.
  }, [reports, graph, cell, born]);
  const { value, problem } = useAnswer(find);
  if (problem !== null) return { cell, now: [], before: null, rough: true, problem };
  return value ?? null;
}
