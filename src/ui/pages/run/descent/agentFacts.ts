import type { MutationDetail } from "../../../../tracking/observer.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { formatHyperparameter } from "../../../lib/format.ts";
import { firstCellOf, lastCellOf } from "../../../series/historyCells.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import type { LineageFate } from "./LineageGraph.ts";

/** A hyperparameter whose value changed. */
export interface Difference {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A mutation of an agent after its first generation. */
interface LaterMutation {
  readonly generation: number;
  readonly mutation: string;
  readonly kind: (typeof MUTATION_KINDS)[number];
  /** Differences from the previous generation. */
  readonly differences: readonly Difference[];
}

/** Facts about one agent from the history's columns, seen from a generation. */
export interface AgentFacts {
  readonly index: number;
  /** Cell of its first generation, and of its last generation up to the one it is seen from. */
  readonly born: number;
  readonly cell: number;
  /** Generation numbers of these two cells. */
  readonly first: number;
  readonly last: number;
  readonly fitness: number;
  /** Rank by fitness in its generation, 1 for the best; null without a fitness. */
  readonly rank: number | null;
  readonly mutation: string;
  readonly kind: (typeof MUTATION_KINDS)[number];
  /** Index of the agent that it was cloned from; null for an initial agent. */
  readonly parent: number | null;
  readonly differences: readonly Difference[];
  /** Mutations since its first generation: a surviving elite may be mutated in place. */
  readonly later: readonly LaterMutation[];
  /** Indices of its clones, in order. */
  readonly children: readonly number[];
  readonly fate: "elite" | "ancestor" | "survives" | "ended";
}

/** @returns null for an agent that is unknown or not yet born. */
export function agentFacts(
  columns: HistoryColumns,
  graph: LineageGraph,
  fate: LineageFate,
  index: number,
): AgentFacts | null {
  const born = firstCellOf(columns, index);
  const cell = lastCellOf(columns, index, fate.row);
  if (born === null || cell === null) return null;
  const { population } = columns;
  const row = Math.floor(cell / population);
  const before = graph.before(born);
  return {
    index,
    born,
    cell,
    first: columns.generation[Math.floor(born / population)] ?? 0,
    last: columns.generation[row] ?? 0,
    fitness: columns.fitness[cell] ?? Number.NaN,
    rank: rankOf(columns, row, cell),
    mutation: columns.mutations[columns.mutation[born] ?? -1] ?? "None",
    kind: MUTATION_KINDS[columns.mutation_kind[born] ?? 0] ?? "none",
    parent: before < 0 ? null : (columns.index[before] ?? null),
    differences: before < 0 ? [] : differences(columns, before, born),
    later: laterMutations(columns, graph, born, cell),
    children: childrenOf(columns, graph, born, index),
    fate: fateOf(columns, fate, cell),
  };
}

function laterMutations(
  columns: HistoryColumns,
  graph: LineageGraph,
  born: number,
  cell: number,
): LaterMutation[] {
  const later: LaterMutation[] = [];
  for (let at = cell; at > born; at = graph.before(at)) {
    const kind = MUTATION_KINDS[columns.mutation_kind[at] ?? 0] ?? "none";
    if (kind === "none") continue;
    later.unshift({
      generation: columns.generation[Math.floor(at / columns.population)] ?? 0,
      mutation: columns.mutations[columns.mutation[at] ?? -1] ?? "None",
      kind,
      differences: differences(columns, graph.before(at), at),
    });
  }
  return later;
}

function rankOf({ population, fitness }: HistoryColumns, row: number, cell: number): number | null {
  const own = fitness[cell] ?? Number.NaN;
  if (!Number.isFinite(own)) return null;
  const better = fitness.subarray(row * population, (row + 1) * population).filter((other) => other > own);
  return better.length + 1;
}

/** The hyperparameters that differ between two cells. */
export function differences({ hyperparameters }: HistoryColumns, before: number, cell: number): Difference[] {
  return Object.entries(hyperparameters).flatMap(([name, column]) => {
    const [from, to] = [column[before] ?? Number.NaN, column[cell] ?? Number.NaN];
    return Object.is(from, to) ? [] : [{ name, from, to }];
  });
}

/** Indices of the agents cloned from an agent while it was a member. */
function childrenOf(columns: HistoryColumns, graph: LineageGraph, born: number, index: number): number[] {
  const { population, generations } = columns;
  const children: number[] = [];
  for (let row = Math.floor(born / population); row < generations - 1; row += 1) {
    const start = row * population;
    if (columns.index.subarray(start, start + population).indexOf(index) < 0) break;
    for (let cell = start + population; cell < start + 2 * population; cell += 1) {
      const child = columns.index[cell] ?? -1;
      if (child !== index && columns.index[graph.before(cell)] === index) children.push(child);
    }
  }
  return children;
}

function fateOf(
  columns: HistoryColumns,
  { row: seen, elite, survives }: LineageFate,
  cell: number,
): AgentFacts["fate"] {
  const index = columns.index[cell];
  if (elite[seen] === cell) return "elite";
  // Includes an agent that survived alongside its clone that leads to the elite.
  if (elite.some((other) => other >= 0 && columns.index[other] === index)) return "ancestor";
  return survives[cell] === 1 ? "survives" : "ended";
}

const plain = (value: number | string | undefined): string =>
  typeof value === "number" ? formatHyperparameter(value) : (value ?? "?");

const change = (from: MutationDetail["from"], to: MutationDetail["to"]): string =>
  from === undefined && to === undefined ? "" : ` ${plain(from)} → ${plain(to)}`;

/**
 * A short description of a clone's mutation, such as "lr 0.0018 → 0.0027".
 * @param detail from the report of its first generation; null for older logs
 */
export function mutationWords(
  { kind, mutation, differences }: Pick<AgentFacts, "kind" | "mutation" | "differences">,
  detail: MutationDetail | null,
): string {
  const network = detail?.network === undefined ? "" : `${detail.network}: `;
  switch (kind) {
    case "none":
      return "unchanged copy";
    case "parameters":
      return `${network}weight noise`;
    case "activation":
      return `${network}activation${change(detail?.from, detail?.to)}`;
    case "architecture": {
      const layer = detail?.layer === undefined ? "" : `, layer ${detail.layer + 1}`;
      return `${network}${detail?.method ?? mutation}${layer}${change(detail?.from, detail?.to)}`;
    }
    case "hyperparameter": {
      const own = differences.find(({ name }) => name === mutation);
      return `${mutation}${change(detail?.from ?? own?.from, detail?.to ?? own?.to)}`;
    }
  }
}
