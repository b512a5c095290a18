import { type GainSummary, summaryOf } from "../../../../tracking/history.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { valueAt, valuedBefore } from "../../../series/historyCells.ts";
import { type Difference, differences } from "../descent/agentFacts.ts";
import { deliveredAsOf, type LineageGraph } from "../descent/LineageGraph.ts";
import { type MoveGains, type RunGains, runGains } from "../insight/runGains.ts";
import { type Lead, leadOf } from "./lead.ts";

/** An agent in one generation. */
export interface Place {
  readonly generation: number;
  readonly index: number;
}

/** A change that the champion's line began a generation with. */
export interface Step extends Place {
  readonly slot: number;
  readonly kind: (typeof MUTATION_KINDS)[number];
  readonly mutation: string;
  readonly differences: readonly Difference[];
}

/** How a hyperparameter moved along the line. */
export interface GeneMoves {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly cuts: number;
  readonly rises: number;
  /** Where it moved first. */
  readonly first: Place;
  /** What all mutations of the run gained that moved it in this direction; null if it ended where it began. */
  readonly gains: GainSummary | null;
  readonly isDoubted: MoveGains["isDoubted"];
}

type Moved = Omit<GeneMoves, "gains" | "isDoubted">;

/** Changes of one kind on the line. */
export interface Changes {
  readonly steps: readonly Step[];
  /** What all mutations of this kind gained in the run. */
  readonly gains: GainSummary;
}

/** What the columns of a run say of how its best agent came about, along its line of descent. */
export interface ChampionStory extends Place {
  readonly population: number;
  readonly fitness: number;
  readonly founder: Place & {
    readonly fitness: number | null;
    /** By fitness in its generation, 1 for the best; null without a fitness. */
    readonly rank: number | null;
  };
  /** Over the next best of its generation; null if there is none. */
  readonly lead: Lead | null;
  /** Generations from the founder to the agent. */
  readonly generations: number;
  /** Mutations on the line, and their gains. */
  readonly steps: readonly Step[];
  readonly gains: GainSummary;
  /** Hyperparameters that moved, those with the most moves first. */
  readonly genes: readonly GeneMoves[];
  /** Changes of the networks' structure, of activations, and noise on weights. */
  readonly architecture: Changes;
  readonly activation: Changes;
  readonly parameters: Changes;
  /** The generation since which all members have descended from the founder; null if others live. */
  readonly alone: number | null;
}

/** The cells of an agent's line, from its founder on. */
function lineOf(graph: LineageGraph, cell: number): readonly number[] {
  const line: number[] = [];
  for (let at = cell; at >= 0; at = graph.before(at)) line.unshift(at);
  return line;
}

/** Tells the story of a run's champion, or of the elite, up to a row. @returns null without any fitness. */
export function championStory(
  columns: HistoryColumns,
  graph: LineageGraph,
  row: number,
  champion: number | null = null,
): ChampionStory | null {
  const { population, generation, fitness } = columns;
  const last = deliveredAsOf(columns, row, champion);
  const line = lineOf(graph, last);
  const [first] = line;
  if (first === undefined) return null;
  const rowOf = (cell: number): number => Math.floor(cell / population);
  const placeOf = (cell: number): Place => ({
    generation: generation[rowOf(cell)] ?? 0,
    index: columns.index[cell] ?? -1,
  });
  const stepAt = (cell: number): Step => ({
    ...placeOf(cell),
    slot: cell % population,
    kind: kindAt(columns, cell),
    mutation: columns.mutations[columns.mutation[cell] ?? -1] ?? "None",
    differences: differences(columns, graph.before(cell), cell),
  });
  const found = runGains(columns, graph, row);
  const steps = line
    .slice(1)
    .filter((cell) => kindAt(columns, cell) !== "none")
    .map(stepAt);
  const changesOf = (kind: Step["kind"]): Changes => ({
    steps: steps.filter((step) => step.kind === kind),
    gains: found.outcomes.find((outcome) => outcome.kind === kind) ?? summaryOf([]),
  });
  return {
    ...placeOf(last),
    population,
    fitness: valueAt(fitness, last) ?? valueAt(fitness, valuedBefore(graph, fitness, last)) ?? Number.NaN,
    lead: leadOf(columns, last),
    founder: { ...placeOf(first), fitness: valueAt(fitness, first), rank: rankOf(columns, first) },
    generations: rowOf(last) - rowOf(first),
    steps,
    gains: summaryOf(line.map((cell) => [found.byCell[cell] ?? null].filter((gain) => gain !== null))),
    genes: genesOf(columns, line, placeOf).map((gene) => ({
      ...gene,
      gains: gainsOf(gene, found),
      isDoubted: found.moves[gene.name]?.isDoubted ?? false,
    })),
    architecture: changesOf("architecture"),
    activation: changesOf("activation"),
    parameters: changesOf("parameters"),
    alone: aloneSince(columns, graph, first, row),
  };
}

const kindAt = ({ mutation_kind }: HistoryColumns, cell: number) =>
  MUTATION_KINDS[mutation_kind[cell] ?? 0] ?? "none";

function rankOf({ population, fitness }: HistoryColumns, cell: number): number | null {
  const own = valueAt(fitness, cell);
  if (own === null) return null;
  const start = cell - (cell % population);
  return 1 + fitness.subarray(start, start + population).filter((other) => other > own).length;
}

function gainsOf({ name, from, to }: Moved, { moves }: RunGains): GainSummary | null {
  const own = moves[name];
  if (from === to || !own) return null;
  return to < from ? own.cuts : own.rises;
}

function genesOf(
  columns: HistoryColumns,
  line: readonly number[],
  placeOf: (cell: number) => Place,
): readonly Moved[] {
  const genes = new Map<string, Moved>();
  for (const [i, cell] of line.entries()) {
    const before = line[i - 1];
    if (before === undefined) continue;
    for (const { name, from, to } of differences(columns, before, cell)) {
      if (!Number.isFinite(from) || !Number.isFinite(to)) continue;
      const gene = genes.get(name) ?? { name, from, to, cuts: 0, rises: 0, first: placeOf(cell) };
      const { cuts, rises } = gene;
      genes.set(name, { ...gene, to, cuts: cuts + Number(to < from), rises: rises + Number(to > from) });
    }
  }
  return [...genes.values()].sort((a, b) => b.cuts + b.rises - (a.cuts + a.rises));
}

/**
 * Visits the cells of rows, each with the cell of the first row that it descends from.
 * @param visit gets -1 for a cell that descends from none
 */
function eachDescendant(
  graph: LineageGraph,
  { from, to }: { readonly from: number; readonly to: number },
  visit: (cell: number, ancestor: number) => void,
): void {
  const { population } = graph;
  let ancestors = new Int32Array(population);
  for (let row = from; row <= to; row += 1) {
    const start = row * population;
    const here = new Int32Array(population);
    for (let slot = 0; slot < population; slot += 1) {
      const before = graph.before(start + slot);
      const ancestor = before < 0 ? -1 : (ancestors[before - start + population] ?? -1);
      here[slot] = row === from ? start + slot : ancestor;
      visit(start + slot, here[slot] ?? -1);
    }
    ancestors = here;
  }
}

/** The generation from which on all members descend from an agent. */
function aloneSince(
  { population, generation }: HistoryColumns,
  graph: LineageGraph,
  founder: number,
  row: number,
): number | null {
  const from = Math.floor(founder / population);
  const living = new Int32Array(row + 1);
  eachDescendant(graph, { from, to: row }, (cell, ancestor) => {
    if (ancestor === founder)
      living[Math.floor(cell / population)] = (living[Math.floor(cell / population)] ?? 0) + 1;
  });
  let since: number | null = null;
  for (let at = row; at > from && living[at] === population; at -= 1) since = generation[at] ?? null;
  return since;
}
