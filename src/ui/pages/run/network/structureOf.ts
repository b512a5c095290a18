import type { GenerationReport, NetworkStructure } from "../../../../tracking/observer.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";

/** Brings the report of a generation to hand; undefined where its log is lost. */
export type ReadReport = (generation: number) => Promise<GenerationReport | undefined>;

/** Mutations that change what a network looks like. */
const SHAPING: readonly string[] = ["architecture", "activation"];

/** Whether reports may tell a structure of a cell: one that the run began with, or that mutation made. */
function maySay(columns: HistoryColumns, graph: LineageGraph, cell: number): boolean {
  if (graph.before(cell) < 0) return true;
  // Also of an agent that goes on: an elite may be mutated in its place.
  return SHAPING.includes(MUTATION_KINDS[columns.mutation_kind[cell] ?? 0] ?? "none");
}

/**
 * The networks of an agent. Reports tell them where they are not as the parent's, so they are looked for along its
 * descent, in the few generations whose mutations shape networks.
 * @returns null where no report tells any: from logs of older builds, or lost ones
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
    // One after the other: most often the first has it.
    const report = await read(generation);
    const member = report?.members.find(({ index }) => index === columns.index[at]);
    if (member?.network !== undefined) return member.network;
  }
  return null;
}

/** The widths that older reports tell in one line, such as "64-64 | 64 | 32-2", as a network without its activations. */
export function structureOfText(architecture: string): NetworkStructure[] {
  const widths = architecture.split(/[|-]/).map((part) => Number.parseInt(part.trim(), 10));
  const layers = widths
    .filter((width) => Number.isInteger(width) && width > 0)
    .map((width) => ({ kind: "linear", width, activation: null, norm: false, parameters: Number.NaN }));
  return layers.length === 0 ? [] : [{ name: "policy", layers, parameters: Number.NaN }];
}
