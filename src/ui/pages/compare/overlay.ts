/** A run's line, not yet beside others. */
export interface RunLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** Points that a line may have at most; more cost time and show nothing on a screen. */
export const MOST_POINTS = 1000;

/** Lines on one axis: all positions in order, and each line's values there; null where it has none. */
export interface Overlay {
  readonly x: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
}

/** Rows of a line that are drawn: all, or evenly taken ones with the first and the last. */
function drawnRows(length: number): readonly number[] {
  if (length <= MOST_POINTS) return Array.from({ length }, (_, row) => row);
  return Array.from({ length: MOST_POINTS }, (_, at) => Math.round((at * (length - 1)) / (MOST_POINTS - 1)));
}

/** Puts lines with positions of their own on one axis. */
export function overlay(lines: readonly RunLine[]): Overlay {
  const points = lines.map(
    ({ x, y }) =>
      new Map(
        drawnRows(x.length).flatMap((row): [number, number][] => {
          const [position, value] = [x[row] ?? Number.NaN, y[row] ?? Number.NaN];
          return Number.isFinite(position) && Number.isFinite(value) ? [[position, value]] : [];
        }),
      ),
  );
  const x = [...new Set(points.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  return { x, lines: points.map((line) => x.map((position) => line.get(position) ?? null)) };
}
