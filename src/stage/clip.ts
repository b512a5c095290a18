/**
 * A stretch of an episode as the states that a drawing takes: no policy and no dynamics, so a page can draw it at once.
 * Each number of the state is a row of whole steps, and each of them is the change since the frame before.
 */

/** Frames of an episode, in order. */
export interface Clip {
  /** The environment's states; all have the same length. */
  readonly states: readonly ArrayLike<number>[];
  /** First number of the action that led to each state; null for the first state. */
  readonly actions: readonly (number | null)[];
}

/** A row: the value of the first frame, the size of a step, and the changes in steps. Rows that never change have one number. */
type Row = readonly number[];

/** A clip as JSON. */
export interface EncodedClip {
  readonly rows: readonly Row[];
  readonly actions: readonly (number | null)[];
}

/** Steps between the lowest and the highest value of a row: finer than a pixel of a small picture. */
const STEPS = 2000;
/** Enough digits for 32-bit floats that are drawn. */
const short = (value: number): number => Number(value.toPrecision(6));

function encodeRow(values: readonly number[]): Row {
  const [first = 0] = values;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const isWhole = values.every(Number.isInteger);
  const from = isWhole ? first : short(first);
  if (low === high) return [from];
  const step = isWhole ? 1 : short((high - low) / STEPS);
  let before = 0;
  const changes = values.slice(1).map((value) => {
    const at = Math.round((value - from) / step);
    const change = at - before;
    before = at;
    return change;
  });
  return [from, step, ...changes];
}

/** Whole numbers are kept as they are, others to a two-thousandth of their range. */
export function encodeClip({ states, actions }: Clip): EncodedClip {
  const width = states[0]?.length ?? 0;
  const rows = Array.from({ length: width }, (_, at) => encodeRow(states.map((state) => state[at] ?? 0)));
  return { rows, actions: actions.map((action) => (action === null ? null : short(action))) };
}

export function decodeClip({ rows, actions }: EncodedClip): Clip {
  const states = actions.map(() => new Float64Array(rows.length));
  for (const [at, [from = 0, step = 0, ...changes]] of rows.entries()) {
    let steps = 0;
    for (const [frame, state] of states.entries()) {
      steps += frame === 0 ? 0 : (changes[frame - 1] ?? 0);
      state[at] = from + steps * step;
    }
  }
  return { states, actions };
}
