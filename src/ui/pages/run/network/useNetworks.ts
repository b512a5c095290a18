import { useCallback } from "react";
import type { GenerationReport, NetworkStructure } from "../../../../tracking/observer.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** Loads the report of a generation; undefined if its log is lost. */
type ReadReport = (generation: number) => Promise<GenerationReport | undefined>;

/** Mutations that change a network's structure. */
const SHAPING: readonly string[] = ["architecture", "activation"];

/** Whether a report may contain the structure of a cell: an initial one, or one changed by mutation. */
function maySay(columns: HistoryColumns, graph: LineageGraph, cell: number): boolean {
  if (graph.before(cell) < 0) return true;
  // Includes surviving agents: an elite may be mutated in place.
  return SHAPING.includes(MUTATION_KINDS[columns.mutation_kind[cell] ?? 0] ?? "none");
}

/**
 * The networks of an agent. Reports contain them only if they differ from the parent's, so the search follows
 * the agent's descent through the few generations whose mutations change networks.
 * @returns null if no report contains any: logs of older builds, or lost ones
 */
export async function structureOf(
  columns: HistoryColumns,
  graph: LineageGraph,
  cell: number,
  read: ReadReport,
): Promise<readonly NetworkStructure[] | null> {
  for (let at = cell; at >= 0; at = graph.before(at)) {
    if (!maySay(columns, graph, at)) continue;
    const generation = columns.generation[Math.floor(at / graph.population)] ?? 0;
    // Sequential, because the first report usually has it.
    const report = await read(generation);
    const member = report?.members.find(({ index }) => index === columns.index[at]);
    if (member?.network !== undefined) return member.network;
  }
  return null;
}

/**
 * Parses the one-line widths of older reports, such as "64-64 | 64 | 32-2", into a network without
 * activations.
 */
export function structureOfText(architecture: string): NetworkStructure[] {
  const widths = architecture.split(/[|-]/).map((part) => Number.parseInt(part.trim(), 10));
  const layers = widths
    .filter((width) => Number.isInteger(width) && width > 0)
    .map((width) => ({ kind: "linear", width, activation: null, norm: false, parameters: Number.NaN }));
  return layers.length === 0 ? [] : [{ name: "policy", layers, parameters: Number.NaN }];
}

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
