/** The spaces of a data set: those that it states, or else those of its numbers. */
import { Box, Discrete, describeSpace, type SingleAgentSpace } from "../rl/spaces.ts";
import type { Column } from "./Column.ts";
import type { Dataset } from "./Dataset.ts";
import { DatasetError } from "./DatasetError.ts";
import { rowSpace } from "./rowSpace.ts";

/** What agents observe and do in a data set. */
export interface DatasetSpaces {
  readonly observation_space: SingleAgentSpace;
  readonly action_space: SingleAgentSpace;
  /** What the data do not state and was inferred; empty where they state both spaces. */
  readonly notices: readonly string[];
}

/** Rows read at a time. */
const CHUNK = 16_384;
/** More choices than this are hardly choices. */
const MOST_CHOICES = 1024;
const STATE = "give Minari's metadata.json, or evaluate in an environment";

const isInteger = (values: object): boolean =>
  ArrayBuffer.isView(values) && !(values instanceof Float32Array || values instanceof Float64Array);

/** What the numbers of actions are like. */
interface Survey {
  /** Numbers of an action. */
  readonly width: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Whether all are whole. */
  readonly isWhole: boolean;
  /** Whether the tables hold integers; null where they do not tell, as in CSV files. */
  readonly isTyped: boolean | null;
}

function survey(columns: readonly Column[], source: string): Survey {
  const shapes = columns.map(({ shape }) => shape.slice(1));
  const width = (shapes[0] ?? []).reduce((all, n) => all * n, 1);
  const low = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  let isWhole = true;
  let isTyped: boolean | null = null;
  for (const [at, column] of columns.entries()) {
    if (shapes[at]?.join() !== shapes[0]?.join())
      throw new DatasetError(
        source,
        `${column.place}: found rows of shape [${shapes[at]}], allowed [${shapes[0]}], as in ${columns[0]?.place}`,
      );
    const [rows = 0] = column.shape;
    for (let from = 0; from < rows; from += CHUNK) {
      const values = column.read(from, Math.min(rows, from + CHUNK));
      if (!column.untyped && ArrayBuffer.isView(values)) isTyped = (isTyped ?? true) && isInteger(values);
      for (let i = 0; i < values.length; i++) {
        const value = Number(values[i]);
        // The reader names a number that is not finite, with its row.
        if (!Number.isFinite(value)) continue;
        isWhole &&= Number.isInteger(value);
        const number = i % width;
        low[number] = Math.min(low[number] as number, value);
        high[number] = Math.max(high[number] as number, value);
      }
    }
  }
  if (low.some((value) => !Number.isFinite(value)))
    throw new DatasetError(source, "found no actions that are numbers, allowed one or more");
  return { width, low, high, isWhole, isTyped };
}

/** Choices, if the actions are whole numbers from 0 that are not stored as fractions. */
function choicesIn({ width, low, high, isWhole, isTyped }: Survey, source: string): Discrete | null {
  const [least = 0, most = 0] = [low[0], high[0]];
  if (width !== 1 || !isWhole || isTyped === false || least < 0) return null;
  if (most >= 1 && most < MOST_CHOICES) return new Discrete(most + 1);
  throw new DatasetError(
    source,
    `action_space: found whole numbers from ${least} to ${most}, allowed 2 to ${MOST_CHOICES} choices, counted from 0; ${STATE}`,
  );
}

/** A Box of the smallest and the largest actions. Where all are the same, it has room on both sides. */
function boxOf({ low, high }: Survey, shape: readonly number[]): Box {
  const isSame = (i: number) => Math.fround(low[i] as number) === Math.fround(high[i] as number);
  return new Box({
    low: low.map((value, i) => value - Number(isSame(i))),
    high: high.map((value, i) => value + Number(isSame(i))),
    shape: shape.length === 0 ? [1] : shape,
  });
}

/** Ranges that a message names; of more numbers, it leaves out the others. */
const MOST_RANGES = 4;

function rangesOf({ low, high, width }: Survey): string {
  const ranges = Array.from(low.subarray(0, MOST_RANGES), (least, i) => `${least} to ${high[i]}`);
  return `${ranges.join(", ")}${width > MOST_RANGES ? ", ..." : ""}`;
}

/** Images of bytes are stored as such; all else are numbers without bounds. */
function observed(column: Column): Box {
  const shape = column.shape.slice(1);
  const isPicture = shape.length === 3 && column.read(0, 1) instanceof Uint8Array;
  return isPicture ? new Box({ low: 0, high: 255, shape, dtype: "uint8" }) : rowSpace(column);
}

/**
 * The spaces that a data set states, as Minari's metadata do. Else observations are numbers in the shape of a row, and
 * actions choices if they are whole numbers from 0 in a table of integers or of a CSV file, or numbers between the
 * smallest and the largest one. Then all actions are read.
 * @throws DatasetError for tables in groups without stated spaces, and for actions that tell no space.
 *
 * @example
 * ```ts
 * const dataset = await openDataset("plant.csv");
 * const { observation_space, action_space } = spacesOfData(dataset);
 * const pop = createPopulation({ algorithm: "IQL", observation_space, action_space, population_size: 4 });
 * ```
 */
export function spacesOfData(dataset: Dataset): DatasetSpaces {
  const { source, observation_space: seen, action_space: done } = dataset;
  const notices: string[] = [];
  const tables = (name: "observations" | "actions"): readonly [Column, ...Column[]] => {
    try {
      const [first, ...others] = dataset.tables(name);
      if (first) return [first, ...others];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DatasetError(source, `its spaces cannot be inferred: ${why}; ${STATE}`);
    }
    throw new DatasetError(source, "found no transitions, allowed one or more");
  };
  const infer = <T extends SingleAgentSpace>(name: string, space: T, from: string): T => {
    notices.push(`${source}: states no ${name}; inferred: ${describeSpace(space)}, from ${from}`);
    return space;
  };
  const observation_space =
    seen ?? infer("observation space", observed(tables("observations")[0]), "the rows' shape");
  if (done) return { observation_space, action_space: done, notices };
  const columns = tables("actions");
  const found = survey(columns, source);
  const choices = choicesIn(found, source);
  const action_space = choices
    ? infer("action space", choices, "the largest action")
    : infer("action space", boxOf(found, columns[0].shape.slice(1)), `actions that are ${rangesOf(found)}`);
  if (!choices && found.isWhole)
    notices.push(
      `${source}: all actions are whole numbers, and are taken for numbers of a Box; if they are choices, store them as integers from 0, one a row`,
    );
  return { observation_space, action_space, notices };
}
