/** The unit that one advantage covers in a sequence: a token, a turn or a trajectory. */
import type { RolloutBatch } from "../contract.ts";

export type Granularity = "token" | "turn" | "trajectory";

/** A part of one sequence, with at least one generated token. */
export interface SequenceUnit {
  /** Number of the turn; for a trajectory, that of its last turn. */
  readonly turn: number;
  /** Columns of its tokens, ascending. */
  readonly columns: readonly number[];
  /**
   * Reward of the unit. For tokens, the last token of a turn receives the turn's reward, and the others 0.
   */
  readonly reward: number;
}

/** The turns of one sequence in which the policy generated tokens, in order. */
function turnsOf(batch: RolloutBatch, row: number): SequenceUnit[] {
  const columns = new Map<number, number[]>();
  for (let column = 0; column < batch.columns; column++) {
    const at = row * batch.columns + column;
    if (batch.action_mask[at] !== 1) continue;
    const turn = batch.turn_ids[at] ?? -1;
    if (turn < 0 || turn >= batch.turns) {
      throw new RangeError(
        `turn_ids[${row}][${column}]: found ${turn} where action_mask is 1, allowed 0 to ${batch.turns - 1}`,
      );
    }
    const known = columns.get(turn);
    if (known) known.push(column);
    else columns.set(turn, [column]);
  }
  return [...columns]
    .sort(([a], [b]) => a - b)
    .map(([turn, own]) => ({
      turn,
      columns: own,
      reward: batch.rewards[row * batch.turns + turn] ?? 0,
    }));
}

const tokensOf = ({ turn, columns, reward }: SequenceUnit): SequenceUnit[] =>
  columns.map((column, i) => ({ turn, columns: [column], reward: i === columns.length - 1 ? reward : 0 }));

const trajectoryOf = (turns: readonly SequenceUnit[]): SequenceUnit[] => {
  const last = turns.at(-1);
  if (!last) return [];
  const columns = turns.flatMap((turn) => turn.columns);
  return [{ turn: last.turn, columns, reward: turns.reduce((total, { reward }) => total + reward, 0) }];
};

/**
 * The units of each sequence in time order; none for a sequence without generated tokens.
 *
 * @throws RangeError for a generated token outside the batch's turns.
 */
export const sequenceUnits = (batch: RolloutBatch, granularity: Granularity): SequenceUnit[][] =>
  Array.from({ length: batch.rows }, (_, row) => {
    const turns = turnsOf(batch, row);
    if (granularity === "turn") return turns;
    return granularity === "token" ? turns.flatMap(tokensOf) : trajectoryOf(turns);
  });

/** Whether the policy acted in at most one turn of every sequence. */
export const isSingleTurn = (batch: RolloutBatch): boolean =>
  sequenceUnits(batch, "turn").every((turns) => turns.length <= 1);

/** Writes values of units to the columns of their tokens, with 0 elsewhere: [rows, columns]. */
export function onTokens(
  { rows, columns }: Pick<RolloutBatch, "rows" | "columns">,
  units: readonly (readonly SequenceUnit[])[],
  values: readonly (readonly number[])[],
): Float32Array {
  const result = new Float32Array(rows * columns);
  units.forEach((own, row) => {
    own.forEach((unit, i) => {
      for (const column of unit.columns) result[row * columns + column] = values[row]?.[i] ?? 0;
    });
  });
  return result;
}
