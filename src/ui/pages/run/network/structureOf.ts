import type { GenerationReport, NetworkStructure } from "../../../../tracking/observer.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** Loads the report of a generation; undefined if its log is lost. */
export type ReadReport = (generation: number) => Promise<GenerationReport | undefined>;

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
