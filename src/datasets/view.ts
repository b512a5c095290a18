/** Summary of an open data set for display. All plain data. */
import { describeSpace } from "../rl/spaces.ts";
import type { Dataset, DatasetEpisode, ObservedStretch } from "./Dataset.ts";

export { isDatasetId } from "./hub/datasetId.ts";
export { returnOf } from "./record/Recording.ts";

/** Observations or actions sampled evenly from a data set. */
export interface VisitedSpace {
  /** Numbers per row. */
  readonly size: number;
  /** The rows as flat numbers. */
  readonly values: Float32Array<ArrayBuffer>;
}

/** Approximate number of rows in a sample. */
const MOST = 4096;
/** Upper bounds on the stretches to read and on the rows of each, because chunks of files are read whole. */
const STRETCHES = 64;
const ROWS = 1024;
/** Observations with more numbers than this count as images, whose individual numbers are not informative. */
const PICTURE = 512;

const spread = (count: number, most: number): number[] =>
  count <= most
    ? Array.from({ length: count }, (_, i) => i)
    : Array.from({ length: most }, (_, i) => Math.floor((i * count) / most));

/** `null` for images, or without rows. @throws DatasetError for an invalid row. */
async function sampled(all: readonly ObservedStretch[]): Promise<VisitedSpace | null> {
  const chosen = spread(all.length, STRETCHES)
    .flatMap((i) => all[i] ?? [])
    .filter(({ rows }) => rows > 0);
  const [first] = chosen;
  if (!first) return null;
  const { length: size } = await first.read(0, 1);
  if (size > PICTURE) return null;
  const found: Float32Array[] = [];
  for (const stretch of chosen) {
    const rows = Math.min(stretch.rows, ROWS);
    const numbers = await stretch.read(0, rows);
    for (const row of spread(rows, Math.ceil(MOST / chosen.length)))
      found.push(numbers.subarray(row * size, (row + 1) * size));
  }
  const values = new Float32Array(found.length * size);
  found.forEach((numbers, i) => values.set(numbers, i * size));
  return { size, values };
}

/** Counts of values in equal bins of [min, max]. */
export interface Histogram {
  readonly min: number;
  readonly max: number;
  /** Whether all values are integers. Bins then end before an integer, so the last one has values up to `max - 1`. */
  readonly whole: boolean;
  readonly counts: readonly number[];
}

const MOST_PARTS = 24;

/** `null` for no values. Integer values get bins of integer width. @param values All finite. */
export function histogram(values: ArrayLike<number>): Histogram | null {
  if (values.length === 0) return null;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let whole = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    min = Math.min(min, value);
    max = Math.max(max, value);
    whole &&= Number.isInteger(value);
  }
  if (min === max && !whole) return { min, max, whole, counts: [values.length] };
  const width = whole ? Math.ceil((max - min + 1) / MOST_PARTS) : (max - min) / MOST_PARTS;
  const parts = whole ? Math.ceil((max - min + 1) / width) : MOST_PARTS;
  const counts = new Array<number>(parts).fill(0);
  for (let i = 0; i < values.length; i++) {
    const part = Math.min(parts - 1, Math.floor(((values[i] as number) - min) / width));
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return { min, max: min + parts * width, whole, counts };
}

/** A return as points, where the reference scores are 0 and 100 (D4RL, arXiv 2004.07219, section 4); null without them. */
export const normalisedReturn = (mean: number, { reference_scores }: Pick<Dataset, "reference_scores">) =>
  reference_scores
    ? (100 * (mean - reference_scores.min)) / (reference_scores.max - reference_scores.min)
    : null;

export interface DatasetView {
  readonly format: Dataset["format"];
  readonly description: string | null;
  /** Description of the space; `null` if the file does not state it. */
  readonly observation_space: string | null;
  readonly action_space: string | null;
  readonly steps: number;
  readonly episodes: readonly DatasetEpisode[];
  /** Mean return over all episodes. */
  readonly mean_return: number;
  /** The same in points, 0 and 100 at the data set's reference scores; `null` without them. */
  readonly normalised_return: number | null;
  readonly returns: Histogram | null;
  readonly lengths: Histogram | null;
  /** What may be wrong with the data, such as a table that is not understood. */
  readonly notices: readonly string[];
  /** `null` for image observations. */
  readonly visited: VisitedSpace | null;
  /** Each number of a sample of the actions; a choice is one number. */
  readonly acted: readonly (Histogram | null)[];
}

/** Each number's histogram. */
const columnsOf = ({ size, values }: VisitedSpace): (Histogram | null)[] =>
  Array.from({ length: size }, (_, column) => histogram(values.filter((_, i) => i % size === column)));

/** @throws DatasetError for a file that violates its format. */
export async function datasetView(dataset: Dataset): Promise<DatasetView> {
  const episodes = dataset.episodes();
  const returns = episodes.map((episode) => episode.return);
  const actions = await sampled(dataset.actions());
  const { format, description, observation_space, action_space, total_steps, notices } = dataset;
  const mean_return = returns.reduce((sum, x) => sum + x, 0) / returns.length;
  return {
    format,
    description,
    observation_space: observation_space && describeSpace(observation_space),
    action_space: action_space && describeSpace(action_space),
    steps: total_steps,
    episodes,
    mean_return,
    normalised_return: normalisedReturn(mean_return, dataset),
    returns: histogram(returns.filter(Number.isFinite)),
    lengths: histogram(episodes.map(({ steps }) => steps)),
    notices,
    visited: await sampled(dataset.observations()),
    acted: actions === null ? [] : columnsOf(actions),
  };
}
