/** A member's priorities on the host, kept between turns. */
import { power } from "../../evolution/members.ts";
import { ringPieces, type Segment, type Visible } from "./replayRows.ts";

/** A member's priorities for the rows of the replay buffer. */
export interface Priorities {
  /** priority^alpha by row; 0 for rows whose current transition the member has not seen. */
  readonly leaves: Float32Array;
  /** Largest priority so far. */
  readonly largest: number;
}

/** Priorities of a turn, with the values that sampling uses. */
export interface TurnPriorities extends Priorities {
  /** Exponent of the priorities. */
  readonly alpha: number;
  /** Fraction of the run completed at the turn's start, and fraction per vector step. */
  readonly progress: number;
  readonly progress_step: number;
}

/** Priorities of a member that has seen no transitions. */
export const noPriorities = (rows: number): Priorities => ({ leaves: new Float32Array(rows), largest: 1 });

interface Rows {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
}

function eachRow({ slot, start, count }: Rows, segment: number, body: (from: number, to: number) => void) {
  for (const [, at, n] of ringPieces(segment, start, count))
    body(slot * segment + at, slot * segment + at + n);
}

/** A copy with priority 0 for rows whose transitions were replaced. */
export function forgetRows(priorities: Priorities, rows: readonly Rows[], segment: number): Priorities {
  const leaves = priorities.leaves.slice();
  for (const part of rows) eachRow(part, segment, (from, to) => void leaves.fill(0, from, to));
  return { ...priorities, leaves };
}

/**
 * The priorities of the rows that a member sees in a turn: 0 for rows out of sight, the largest so far for
 * rows new to it.
 */
export function visiblePriorities(
  { leaves, largest }: Priorities,
  alpha: number,
  view: { readonly slot: number; readonly ring: Segment; readonly visible: readonly Visible[] },
  segment: number,
): Priorities {
  const seen = new Float32Array(leaves.length);
  const welcome = power(largest, alpha);
  view.visible.forEach(({ start, length }, slot) => {
    const { position, count } = view.ring;
    const rows =
      slot === view.slot
        ? { slot, start: (position - count + segment) % segment, count }
        : { slot, start, count: length };
    eachRow(rows, segment, (from, to) => {
      for (let row = from; row < to; row++) seen[row] = leaves[row] || welcome;
    });
  });
  return { leaves: seen, largest };
}
