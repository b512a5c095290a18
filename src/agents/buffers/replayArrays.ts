/** A replay buffer as named arrays, for checkpoints. */
import { REPLAY_FIELDS, type Run, rowWords } from "../../rl/programs.ts";
import { fieldsOf, type RowWidths } from "./experiences.ts";
import { arrayOf, eachField, type ReplayArray, type ReplayRows, type Segment } from "./replayRows.ts";

/** Arrays by name, with their shapes: the contents of a safetensors file. */
export type StoredArrays = Readonly<
  Record<
    string,
    { readonly shape: readonly number[]; readonly data: Float32Array | Int32Array | Uint32Array }
  >
>;

export interface ReplayContents {
  readonly max_size: number;
  readonly rings: readonly Segment[];
  /** At least rows 0 to count - 1 of each segment. */
  readonly segments: readonly ReplayRows[];
  readonly counter: number;
  readonly widths: RowWidths;
}

const META = "replay";
/** Name of the additional array of a multi-agent buffer, or of one that stores masks. */
const TEAM = "team";
const RINGS = "rings";
/** Name of the array with the start and size of each range of an observation that is stored as bytes. */
const BYTES = "bytes";
const WORD = 2 ** 32;

/** [low, high] words of a non-negative integer. */
const words = (x: number): [number, number] => [x % WORD, Math.floor(x / WORD)];
const fromWords = ([low = 0, high = 0]: ArrayLike<number> & Iterable<number>): number => high * WORD + low;

/** Ranges from the start and size of each. */
const runsOf = (bounds: ArrayLike<number>): Run[] =>
  Array.from({ length: bounds.length / 2 }, (_, i) => ({
    start: bounds[2 * i] ?? 0,
    size: bounds[2 * i + 1] ?? 0,
  }));

export function toStoredArrays({ max_size, rings, segments, counter, widths }: ReplayContents): StoredArrays {
  const { observation, action, bytes } = widths;
  const fields = fieldsOf(widths);
  const arrays: Record<string, StoredArrays[string]> = {
    // Sizes that rows do not contain, so that an empty buffer can be restored too.
    [META]: {
      shape: [8],
      data: Uint32Array.from([
        ...words(max_size),
        ...words(counter),
        observation,
        action,
        Number(widths.discrete),
        Number(bytes.length > 0),
      ]),
    },
    [RINGS]: {
      shape: [rings.length, 2],
      data: Uint32Array.from(rings.flatMap(({ position, count }) => [position, count])),
    },
  };
  if (widths.agents > 1 || widths.mask > 0)
    arrays[TEAM] = { shape: [2], data: Uint32Array.of(widths.agents, widths.mask) };
  if (bytes.length > 0) {
    const data = Uint32Array.from(bytes.flatMap(({ start, size }) => [start, size]));
    arrays[BYTES] = { shape: [bytes.length, 2], data };
  }
  rings.forEach(({ count }, slot) => {
    for (const field of REPLAY_FIELDS) {
      const width = rowWords(fields[field]);
      const data = (segments[slot] as ReplayRows)[field].subarray(0, count * width);
      arrays[`${slot}.${field}`] = { shape: [count, width], data };
    }
  });
  return arrays;
}

/** @throws RangeError naming the array that is missing or does not fit. */
export function fromStoredArrays(arrays: StoredArrays): ReplayContents {
  const array = (name: string, length: number): StoredArrays[string]["data"] => {
    const found = arrays[name];
    if (!found || found.data.length !== length) {
      const what = found ? `${found.data.length} numbers` : "nothing";
      throw new RangeError(`replay buffer: array "${name}": found ${what}, allowed ${length} numbers`);
    }
    return found.data;
  };
  const meta = array(META, 8);
  const [observation = 0, action = 0, discrete = 0, hasBytes = 0] = meta.subarray(4);
  // Files from before observations could mix bytes with other numbers lack the ranges: all numbers are bytes.
  const known = arrays[BYTES]?.shape[0];
  const bounds = known === undefined ? [0, observation] : array(BYTES, known * 2);
  const bytes = hasBytes === 0 ? [] : runsOf(bounds);
  const [agents = 1, mask = 0] = arrays[TEAM] ? array(TEAM, 2) : [];
  const widths: RowWidths = { observation, action, discrete: discrete !== 0, agents, mask, bytes };
  const fields = fieldsOf(widths);
  const population = arrays[RINGS]?.shape[0] ?? 0;
  const ringWords = array(RINGS, population * 2);
  const rings = Array.from({ length: population }, (_, slot) => ({
    position: ringWords[2 * slot] ?? 0,
    count: ringWords[2 * slot + 1] ?? 0,
  }));
  const segments = rings.map(({ count }, slot) =>
    eachField((field): ReplayArray => {
      const name = `${slot}.${field}`;
      const data = array(name, count * rowWords(fields[field]));
      const type = arrayOf(fields[field]);
      if (!(data instanceof type))
        throw new RangeError(
          `replay buffer: array "${name}": found ${data.constructor.name}, allowed ${type.name}`,
        );
      return data;
    }),
  );
  return {
    max_size: fromWords(meta.subarray(0, 2)),
    counter: fromWords(meta.subarray(2, 4)),
    rings,
    segments,
    widths,
  };
}
