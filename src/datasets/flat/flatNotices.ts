/** What a flat data set's tables leave open about its episodes. */
import type { Column, RawNumbers } from "../Column.ts";
import type { EpisodeEnds, FlatTables } from "./episodeEnds.ts";

/** Rows compared at a time. */
const CHUNK = 16_384;

/** @param rows Number of steps in the data set. */
export function flatNotices(tables: FlatTables, { last, unread }: EpisodeEnds, rows: number): string[] {
  const { source } = tables;
  const notices: string[] = [];
  if (unread.length > 0)
    notices.push(
      `${source}: not read: ${unread.join(", ")}; if one marks where episodes end, name it timeouts (1 at each last row), episode_starts or episode_ends`,
    );
  const breaks = breaksIn(tables, last, rows);
  if (breaks.length > 0)
    notices.push(
      `${source}: next_observations of ${breaks.length} rows is not the observation of the row below, and no episode ends there (first at row ${breaks[0]}); if episodes end there, mark them in timeouts or truncations`,
    );
  return notices;
}

/** Rows within an episode whose next observation is not that of the row below. */
function breaksIn(tables: FlatTables, last: Uint8Array, rows: number): number[] {
  const pairs = tables.names.flatMap((name) => {
    const next = /^next_(observations(?:\/.*)?)$/.exec(name)?.[1];
    const pair = next === undefined ? null : [tables.find(next, 1), tables.find(name, 1)];
    const [observations, next_observations] = pair?.map((column) => column && numbersBy(column, rows)) ?? [];
    return observations && next_observations ? [{ observations, next_observations }] : [];
  });
  const broken = new Set<number>();
  for (let from = 0; from < rows - 1; from += CHUNK) {
    const to = Math.min(rows - 1, from + CHUNK);
    for (const { observations, next_observations } of pairs) {
      const [below, next] = [observations(from + 1, to + 1), next_observations(from, to)];
      // The reader refuses tables of different widths by name.
      if (below.length !== next.length) continue;
      const width = next.length / (to - from);
      for (let i = 0; i < next.length; i++) {
        const row = from + Math.floor(i / width);
        if (last[row] !== 1 && Math.fround(Number(below[i])) !== Math.fround(Number(next[i])))
          broken.add(row);
      }
    }
  }
  return [...broken].toSorted((a, b) => a - b);
}

/** Reads rows as numbers; `null` for a table of other rows, which the reader refuses. */
function numbersBy(column: Column, rows: number): ((from: number, to: number) => RawNumbers) | null {
  const [length = 0, ...width] = column.shape;
  // A typed array has no shape of its own.
  const per = width.length === 0 ? length / rows : 1;
  if (!Number.isInteger(per) || (width.length > 0 && length !== rows)) return null;
  return (from, to) => column.read(from * per, to * per) as RawNumbers;
}
