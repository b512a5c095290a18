import {
  EvolutionTally,
  type Gain,
  type GainSummary,
  isEvidence,
  type MutationOutcome,
  summaryOf,
  tallyRows,
} from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { valuedBefore } from "../../../series/historyCells.ts";
import { tunedHyperparameters } from "../../../series/hyperparameterRanges.ts";
import { differences } from "../descent/agentFacts.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import { importanceRows, LEAST_ROWS } from "./importanceRows.ts";
import { sharesOf } from "./shares.ts";

/** Gains of the mutations that moved a hyperparameter, by direction. */
export interface MoveGains {
  readonly cuts: GainSummary;
  readonly rises: GainSummary;
  /** Whether the importance of the hyperparameter is known, and not told apart from 0. */
  readonly isDoubted: boolean;
}

/** What the mutations of a run gained, up to a row. */
export interface RunGains {
  /** By cell; null for a member without a gain. */
  readonly byCell: readonly (Gain | null)[];
  readonly outcomes: readonly MutationOutcome[];
  /** By hyperparameter, of those that moved. */
  readonly moves: Readonly<Record<string, MoveGains>>;
}

/** Hyperparameters whose importance is known, and not told apart from 0. */
function doubtedNames(columns: HistoryColumns, row: number): ReadonlySet<string> {
  const rows = importanceRows(columns, row, tunedHyperparameters(columns, {}));
  if (rows === null || rows.outputs.length < LEAST_ROWS) return new Set();
  const shares = sharesOf(rows);
  return new Set(
    rows.names.flatMap(({ name }, i) => (isEvidence(shares[i]?.interval ?? null) ? [] : [name])),
  );
}

export function runGains(columns: HistoryColumns, graph: LineageGraph, row: number): RunGains {
  const tally = new EvolutionTally();
  const rows = Array.from(tallyRows(columns, 0, row + 1), (next) => tally.add(next).gains);
  const { population, fitness } = columns;
  const moved = new Map<string, { readonly cuts: Gain[][]; readonly rises: Gain[][] }>();
  for (const [at, gains] of rows.entries())
    for (const [slot, gain] of gains.entries()) {
      if (gain === null) continue;
      const cell = at * population + slot;
      for (const { name, from, to } of differences(columns, valuedBefore(graph, fitness, cell), cell)) {
        const { cuts, rises } = moved.get(name) ?? { cuts: [], rises: [] };
        moved.set(name, { cuts, rises });
        const lists = to < from ? cuts : rises;
        lists[at] = [...(lists[at] ?? []), gain];
      }
    }
  const doubted = doubtedNames(columns, row);
  const summary = (lists: Gain[][]): GainSummary => summaryOf(Object.values(lists));
  return {
    byCell: rows.flatMap((gains) => Array.from({ length: population }, (_, slot) => gains[slot] ?? null)),
    outcomes: tally.report().mutations,
    moves: Object.fromEntries(
      Array.from(moved, ([name, { cuts, rises }]) => [
        name,
        { cuts: summary(cuts), rises: summary(rises), isDoubted: doubted.has(name) },
      ]),
    ),
  };
}
