import { useEffect, useState } from "react";
import type { NetworkStructure } from "../../../../tracking/observer.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/messageOf.ts";
import type { RunSession } from "../../../state/RunSession.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import { type ReadReport, structureOf, structureOfText } from "./structureOf.ts";

/** Networks of an agent and of the one that it was cloned from. */
export interface FoundNetworks {
  /** The agent's cell. */
  readonly cell: number;
  readonly now: readonly NetworkStructure[];
  /** Null where there is no parent, or nothing is known of it. */
  readonly before: readonly NetworkStructure[] | null;
  /** Whether they were read from a line of text: widths alone. */
  readonly rough: boolean;
  /** Why nothing could be found; null when something was. */
  readonly problem: string | null;
}

const LOST = "The log of this agent's generation was deleted or damaged, so its networks are not known.";

/** Networks of the agent at a cell; those found last until they are there, and null before the first. */
export function useNetworks(
  { reports }: RunSession,
  columns: HistoryColumns,
  graph: LineageGraph,
  cell: number,
  born: number,
): FoundNetworks | null {
  const [found, setFound] = useState<FoundNetworks | null>(null);
  useEffect(() => {
    let wanted = true;
    const read: ReadReport = async (generation) => {
      await reports.load(generation, generation);
      return reports.get(generation);
    };
    const parent = graph.before(born);
    const find = async (): Promise<FoundNetworks> => {
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
    };
    const show = async (): Promise<void> => {
      let next: FoundNetworks;
      try {
        next = await find();
      } catch (error) {
        next = { cell, now: [], before: null, rough: true, problem: messageOf(error) };
      }
      if (wanted) setFound(next);
    };
    void show();
    return () => {
      wanted = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- columns only grow: a cell stays what it is.
  }, [reports, graph, cell, born]);
  return found;
}
