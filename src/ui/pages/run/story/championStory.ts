import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { valueAt, valuedBefore } from "../../../series/historyCells.ts";
import { type Difference, differences } from "../descent/agentFacts.ts";
import { deliveredAsOf, type LineageGraph } from "../descent/LineageGraph.ts";

/** Generations within which the descendants of copies of one parent are compared. */
export const WATCHED = 5;

/** An agent in one generation. */
export interface Place {
  readonly generation: number;
  readonly index: number;
}

/** A change that the champion's line began a generation with. */
interface Step extends Place {
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
}

/** The change with the largest lead over other copies of the same parent. */
export interface TurningPoint {
  readonly step: Step;
  /** Highest fitness of the copy and its descendants, and of the others and theirs, up to `until`. */
  readonly own: number;
  readonly others: number;
  /** Number of the others. The parent counts if it continued. */
  readonly count: number;
  /** Generation number. */
  readonly until: number;
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
  /** Generations from the founder to the agent. */
  readonly generations: number;
  /** Gains of fitness from one evaluation of the line to the next, by what the later generation began with. */
  readonly gains: { readonly mutated: number; readonly trained: number; readonly mutations: number };
  /** Hyperparameters that moved, those with the most moves first. */
  readonly genes: readonly GeneMoves[];
  /** Changes of the networks' structure or activations. */
  readonly structures: readonly Step[];
  readonly weights: readonly Step[];
  readonly turning: TurningPoint | null;
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
    kind: kindAt(columns, cell),
    mutation: columns.mutations[columns.mutation[cell] ?? -1] ?? "None",
    differences: differences(columns, graph.before(cell), cell),
  });
  const changed = line.slice(1).filter((cell) => kindAt(columns, cell) !== "none");
  const steps = changed.map(stepAt);
  return {
    ...placeOf(last),
    population,
    fitness: valueAt(fitness, last) ?? valueAt(fitness, valuedBefore(graph, fitness, last)) ?? Number.NaN,
    founder: { ...placeOf(first), fitness: valueAt(fitness, first), rank: rankOf(columns, first) },
    generations: rowOf(last) - rowOf(first),
    gains: gainsOf(columns, graph, line),
    genes: genesOf(columns, line, placeOf),
    structures: steps.filter(({ kind }) => kind === "architecture" || kind === "activation"),
    weights: steps.filter(({ kind }) => kind === "parameters"),
    turning: turningPoint(columns, graph, changed, row, stepAt),
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

/** A gain counts as a mutation's if one happened on the line since the evaluation before. */
function gainsOf(
  columns: HistoryColumns,
  graph: LineageGraph,
  line: readonly number[],
): ChampionStory["gains"] {
  let [mutated, trained, mutations, hasMutated] = [0, 0, 0, false];
  for (const cell of line.slice(1)) {
    const isMutation = kindAt(columns, cell) !== "none";
    if (isMutation) mutations += 1;
    hasMutated ||= isMutation;
    const before = valueAt(columns.fitness, valuedBefore(graph, columns.fitness, cell));
    const after = valueAt(columns.fitness, cell);
    if (before === null || after === null) continue;
    if (hasMutated) mutated += after - before;
    else trained += after - before;
    hasMutated = false;
  }
  return { mutated, trained, mutations };
}

function genesOf(
  columns: HistoryColumns,
  line: readonly number[],
  placeOf: (cell: number) => Place,
): readonly GeneMoves[] {
  const genes = new Map<string, GeneMoves>();
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

function turningPoint(
  columns: HistoryColumns,
  graph: LineageGraph,
  changed: readonly number[],
  row: number,
  stepAt: (cell: number) => Step,
): TurningPoint | null {
  const { population, fitness, generation } = columns;
  let best: { readonly cell: number; readonly point: Omit<TurningPoint, "step"> } | null = null;
  for (const cell of changed) {
    const born = Math.floor(cell / population);
    const last = Math.min(row, born + WATCHED);
    const parent = graph.before(cell);
    const reached = new Map<number, number>();
    eachDescendant(graph, { from: born, to: last }, (at, ancestor) => {
      const value = valueAt(fitness, at);
      if (value === null || ancestor < 0 || graph.before(ancestor) !== parent) return;
      reached.set(ancestor, Math.max(value, reached.get(ancestor) ?? Number.NEGATIVE_INFINITY));
    });
    const own = reached.get(cell);
    reached.delete(cell);
    if (own === undefined || reached.size === 0) continue;
    const others = Math.max(...reached.values());
    const lead = own - others;
    if (lead > 0 && (best === null || lead > best.point.own - best.point.others))
      best = { cell, point: { own, others, count: reached.size, until: generation[last] ?? 0 } };
  }
  return best && { ...best.point, step: stepAt(best.cell) };
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
