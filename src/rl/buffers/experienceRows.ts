/** Transitions given by callers as rows of a memory. */
import type { ReplayRows } from "../runtime/replayMemory.ts";
import type { Experiences, RowWidths } from "./experiences.ts";

type Given = boolean | number | ArrayLike<number | boolean>;

const lengthOf = (value: Given): number => (typeof value === "object" ? value.length : 1);
const listOf = (value: Given): number[] =>
  typeof value === "object" ? Array.from(value, Number) : [Number(value)];

/** How many transitions there are: as many as rewards. */
const rowCount = ({ reward }: Experiences): number => lengthOf(reward);

/**
 * Widths of a memory whose first transition this is. Actions are whole numbers unless they come in a
 * Float32Array or one of them is not whole.
 * @throws RangeError when observations or actions cannot be divided into as many rows as there are rewards.
 */
export function inferWidths(transition: Experiences): RowWidths {
  const rows = rowCount(transition);
  const width = (field: "obs" | "action") => {
    const length = lengthOf(transition[field]);
    if (rows === 0 || length === 0 || length % rows !== 0)
      throw new RangeError(
        `experiences.${field}: found ${length} numbers for ${rows} rewards, allowed a multiple`,
      );
    return length / rows;
  };
  const { action } = transition;
  return {
    observation: width("obs"),
    action: width("action"),
    discrete: !(action instanceof Float32Array) && listOf(action).every(Number.isInteger),
  };
}

/** @throws RangeError naming the field whose length or values do not fit. */
export function rowsOf(transition: Experiences, widths: RowWidths): { count: number; rows: ReplayRows } {
  const count = rowCount(transition);
  const numbers = (field: keyof Experiences, width: number): number[] => {
    const values = listOf(transition[field]);
    if (values.length !== count * width) {
      throw new RangeError(
        `experiences.${field}: found ${values.length} numbers, allowed ${count * width} (${count} transitions of ${width})`,
      );
    }
    return values;
  };
  const { observation, action, discrete } = widths;
  const actions = numbers("action", action);
  if (discrete && !actions.every(Number.isInteger)) {
    throw new RangeError(
      "experiences.action: found numbers that are not whole in a memory of discrete actions; configure() it for the environment's spaces",
    );
  }
  return {
    count,
    rows: {
      obs: Float32Array.from(numbers("obs", observation)),
      next_obs: Float32Array.from(numbers("next_obs", observation)),
      action: discrete ? Int32Array.from(actions) : Float32Array.from(actions),
      reward: Float32Array.from(numbers("reward", 1)),
      done: Float32Array.from(numbers("done", 1), (x) => (x === 0 ? 0 : 1)),
    },
  };
}
