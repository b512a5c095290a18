import type { PlotRange } from "../../routes/plotViews.ts";

type Values = ArrayLike<number | null>;

/** Values in a block; a range over many values looks at its whole blocks only. */
const BLOCK = 256;

interface Blocks {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const NOTHING: PlotRange = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The least and the greatest of some values; a logarithmic axis ignores what is not positive. */
function scanned(values: Values, from: number, to: number, log: boolean): PlotRange {
  let [low, high] = NOTHING;
  for (let at = from; at < to; at += 1) {
    const value = values[at];
    if (value === null || value === undefined || (log && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

// Values of a line do not change: a line that grows is a new one.
const known: Record<"log" | "linear", WeakMap<object, Blocks>> = {
  log: new WeakMap(),
  linear: new WeakMap(),
};

function blocksOf(values: Values, log: boolean): Blocks {
  const kept = known[log ? "log" : "linear"];
  const found = kept.get(values);
  if (found !== undefined) return found;
  const count = Math.ceil(values.length / BLOCK);
  const blocks = { low: new Float64Array(count), high: new Float64Array(count) };
  for (let block = 0; block < count; block += 1) {
    const [low, high] = scanned(values, block * BLOCK, Math.min(values.length, (block + 1) * BLOCK), log);
    blocks.low[block] = low;
    blocks.high[block] = high;
  }
  kept.set(values, blocks);
  return blocks;
}

/**
 * The least and the greatest of the values from one index to before another, infinite if there are none. Repeated calls
 * on long lines are fast, as a chart that is panned makes them.
 */
export function rangeBetween(values: Values, from: number, to: number, log: boolean): PlotRange {
  const first = Math.ceil(from / BLOCK);
  const end = Math.floor(to / BLOCK);
  if (end <= first) return scanned(values, from, to, log);
  const { low: lows, high: highs } = blocksOf(values, log);
  const edges = [scanned(values, from, first * BLOCK, log), scanned(values, end * BLOCK, to, log)];
  let [low, high] = [Math.min(...edges.map((edge) => edge[0])), Math.max(...edges.map((edge) => edge[1]))];
  for (let block = first; block < end; block += 1) {
    low = Math.min(low, lows[block] ?? low);
    high = Math.max(high, highs[block] ?? high);
  }
  return [low, high];
}
