import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { formatCount } from "../../../lib/format.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { positionsOf } from "../../../series/historyCells.ts";
import { formatPosition, ticksWithin } from "../../../series/scales.ts";

/** A labelled place of the horizontal axis. */
interface Tick {
  readonly place: number;
  readonly text: string;
}

/** Horizontal places of generations, in mean distances of two generations from the first. */
export interface Across {
  /** Place of a row, from 0 to the last row. */
  readonly of: (row: number) => number;
  /** The row nearest to a place. */
  readonly rowNear: (place: number) => number;
  /** Round values between two places, about `count` of them if generations fill all of the room. */
  readonly ticks: (from: number, to: number, count: number) => readonly Tick[];
}

type Columns = Pick<HistoryColumns, "generation" | "generations" | "global_step" | "seconds">;

/** Generations at equal distances. */
function byGeneration({ generation, generations }: Columns): Across {
  const last = Math.max(0, generations - 1);
  const rowNear = (place: number): number => Math.min(last, Math.max(0, Math.round(place)));
  const offset = generation[0] ?? 1;
  const at = (place: number): number => generation[rowNear(place)] ?? offset;
  return {
    of: (row) => row,
    rowNear,
    ticks: (from, to, count) =>
      ticksWithin(at(from), at(to), count)
        .filter(Number.isInteger)
        .map((tick) => ({ place: tick - offset, text: formatCount(tick) })),
  };
}

/** Generations by steps or by time; by generation where these do not tell them apart. */
export function acrossOf(columns: Columns, axis: ChartAxis): Across {
  const positions = positionsOf(columns, axis);
  const last = columns.generations - 1;
  const [low = Number.NaN, high = Number.NaN] = [positions[0], positions[last]];
  if (axis === "generation" || !(high > low)) return byGeneration(columns);
  const scale = last / (high - low);
  const of = (row: number): number => scale * ((positions[row] ?? high) - low);
  return {
    of,
    rowNear: (place) => {
      let [left, right] = [0, last];
      while (right - left > 1) {
        const middle = (left + right) >> 1;
        if (of(middle) <= place) left = middle;
        else right = middle;
      }
      return place - of(left) <= of(right) - place ? left : right;
    },
    ticks: (from, to, count) => {
      const [first, end] = [Math.max(0, from), Math.min(last, to)];
      // Generations may fill only a part of the room.
      const few = Math.max(1, (count * (end - first)) / (to - from));
      return ticksWithin(low + first / scale, low + end / scale, few).map((value) => ({
        place: scale * (value - low),
        text: formatPosition[axis](value),
      }));
    },
  };
}
