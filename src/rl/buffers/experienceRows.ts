/** Transitions given by callers as rows of numbers, and those as a memory keeps them. */
import { isPacked } from "../programs/rowLayout.ts";
import { firstNoByte, packRows, type ReplayRows, unpackRows } from "../runtime/replayRows.ts";
import { type ExperienceBatch, type Experiences, fieldsOf, type RowWidths } from "./experiences.ts";

type Given = boolean | number | ArrayLike<number | boolean>;

const lengthOf = (value: Given): number => (typeof value === "object" ? value.length : 1);
const listOf = (value: Given): number[] =>
  typeof value === "object" ? Array.from(value, Number) : [Number(value)];

/**
 * One 0 or 1 for each transition.
 * @throws RangeError naming the field when there are more or fewer.
 */
export function flags(field: string, given: Given, count: number): number[] {
  const list = listOf(given);
  if (list.length === count) return list.map((x) => (x === 0 ? 0 : 1));
  throw new RangeError(`experiences.${field}: found ${list.length} flags, allowed ${count}`);
}

/** How many transitions there are: as many as rewards. */
const rowCount = ({ reward }: Experiences): number => lengthOf(reward);

/**
 * Widths of a memory whose first transition this is. Actions are whole numbers unless they come in a
 * Float32Array or one of them is not whole; observations are bytes when they come in a Uint8Array.
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
  const { action, obs, next_obs } = transition;
  const observation = width("obs");
  const areBytes = obs instanceof Uint8Array && next_obs instanceof Uint8Array;
  return {
    observation,
    action: width("action"),
    discrete: !(action instanceof Float32Array) && listOf(action).every(Number.isInteger),
    bytes: areBytes ? [{ start: 0, size: observation }] : [],
  };
}

/**
 * The rows of the fields; typed arrays of the right kind as they are, not copied.
 * @throws RangeError naming the field whose length or values do not fit.
 */
export function rowsOf(experiences: Experiences, widths: RowWidths): { count: number; rows: ReplayRows } {
  const count = rowCount(experiences);
  const numbers = (field: keyof ExperienceBatch, width: number): Float32Array => {
    const given = experiences[field];
    const length = lengthOf(given);
    if (length !== count * width) {
      throw new RangeError(
        `experiences.${field}: found ${length} numbers, allowed ${count * width} (${count} transitions of ${width})`,
      );
    }
    return given instanceof Float32Array ? given : Float32Array.from(listOf(given));
  };
  const { observation, action, discrete } = widths;
  return {
    count,
    rows: {
      obs: numbers("obs", observation),
      next_obs: numbers("next_obs", observation),
      action: discrete
        ? wholeNumbers(experiences.action, numbers("action", action))
        : numbers("action", action),
      reward: numbers("reward", 1),
      done: numbers("done", 1).map((x) => (x === 0 ? 0 : 1)),
      // Whoever adds rows one by one says nothing of the next one: none may be taken for its sequel.
      ended: new Float32Array(count).fill(1),
    },
  };
}

/**
 * Rows of numbers as the memory keeps them.
 * @throws RangeError for observations that are no bytes where the memory has bytes.
 */
export function storedRows(rows: ReplayRows, widths: RowWidths): ReplayRows {
  const { obs } = fieldsOf(widths);
  if (!isPacked(obs)) return rows;
  const stored = (field: "obs" | "next_obs") => {
    const wrong = firstNoByte(rows[field], obs);
    if (wrong === undefined) return packRows(rows[field], obs);
    throw new RangeError(
      `experiences.${field}: found ${wrong} where the memory has bytes, allowed whole numbers 0 to 255`,
    );
  };
  return { ...rows, obs: stored("obs"), next_obs: stored("next_obs") };
}

/** Rows as `storedRows` gives them, as numbers. */
export function numberRows(rows: ReplayRows, widths: RowWidths): ReplayRows {
  const { obs } = fieldsOf(widths);
  if (!isPacked(obs)) return rows;
  return { ...rows, obs: unpackRows(rows.obs, obs), next_obs: unpackRows(rows.next_obs, obs) };
}

function wholeNumbers(given: Experiences["action"], numbers: Float32Array): Int32Array {
  if (given instanceof Int32Array) return given;
  if (numbers.every(Number.isInteger)) return Int32Array.from(numbers);
  throw new RangeError(
    "experiences.action: found numbers that are not whole in a memory of discrete actions; configure() it for the environment's spaces",
  );
}
