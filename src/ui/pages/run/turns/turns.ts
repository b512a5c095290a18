/** Who trained when in one generation: the turns of its members. */
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { valueAt } from "../../../series/historyCells.ts";

/** A member's turn in a generation. Null where reports do not tell it. */
export interface Turn {
  readonly cell: number;
  /** Identity of the member. */
  readonly index: number;
  /** Number of its compute worker, from 0. */
  readonly worker: number | null;
  /** Milliseconds from the generation's start. */
  readonly started: number | null;
  readonly milliseconds: number | null;
  /** Share of its evaluation in the environment steps of the turn, 0 to 1. */
  readonly evaluation: number | null;
}

type Columns = Pick<
  HistoryColumns,
  "index" | "steps" | "evaluation_steps" | "worker" | "started" | "milliseconds" | "population"
>;

/** The turns of a row's members, by slot. @param before the cell from which a cell descends; -1 for none */
export function turnsOf(columns: Columns, before: (cell: number) => number, row: number): readonly Turn[] {
  const { population, index, steps, evaluation_steps } = columns;
  return Array.from({ length: population }, (_, slot): Turn => {
    const cell = row * population + slot;
    const from = before(cell);
    const trained = (steps[cell] ?? Number.NaN) - (from < 0 ? 0 : (steps[from] ?? Number.NaN));
    const evaluated = evaluation_steps[cell] ?? Number.NaN;
    const share = evaluated / (trained + evaluated);
    return {
      cell,
      index: index[cell] ?? -1,
      worker: valueAt(columns.worker, cell),
      started: valueAt(columns.started, cell),
      milliseconds: valueAt(columns.milliseconds, cell),
      evaluation: trained >= 0 && Number.isFinite(share) ? share : null,
    };
  });
}

/** A turn with its place in time. */
export interface TimedTurn extends Turn {
  readonly worker: number;
  readonly started: number;
  readonly milliseconds: number;
}

/** The turns of a generation as a picture of its workers. */
export interface Timeline {
  /** By worker, the earliest turn first. */
  readonly workers: readonly (readonly TimedTurn[])[];
  /** Milliseconds from the generation's start to the end of its last turn. */
  readonly length: number;
  /** Share of the workers' time in which they trained a member, 0 to 1. */
  readonly busy: number;
}

/** Null if reports do not tell when and where turns ran. */
export function timelineOf(turns: readonly Turn[]): Timeline | null {
  const workers: TimedTurn[][] = [];
  let [length, sum] = [0, 0];
  for (const turn of turns.toSorted((a, b) => (a.started ?? 0) - (b.started ?? 0))) {
    const { worker, started, milliseconds } = turn;
    if (worker === null || started === null || milliseconds === null) continue;
    while (workers.length <= worker) workers.push([]);
    workers[worker]?.push({ ...turn, worker, started, milliseconds });
    length = Math.max(length, started + milliseconds);
    sum += milliseconds;
  }
  return length > 0 ? { workers, length, busy: Math.min(1, sum / (length * workers.length)) } : null;
}

/** The evaluations' share in the environment steps of turns, which have equally many of them; null if unknown. */
export function meanEvaluation(turns: readonly Turn[]): number | null {
  const known = turns.flatMap(({ evaluation }) => evaluation ?? []);
  return known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
}
