/** The line of one run, before the lines share an axis. */
export interface RunLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** Maximum number of points per line; more take time without a visible difference. */
export const MOST_POINTS = 1000;

/**
 * Lines on a shared axis: all positions in ascending order, and each line's value at each; null where it has
 * none.
 */
export interface Overlay {
  readonly x: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
}

/** The rows of a line to draw: all, or an even selection that includes the first and the last. */
function drawnRows(length: number): readonly number[] {
  if (length <= MOST_POINTS) return Array.from({ length }, (_, row) => row);
  return Array.from({ length: MOST_POINTS }, (_, at) => Math.round((at * (length - 1)) / (MOST_POINTS - 1)));
}

/** Puts lines with different positions on a shared axis. */
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
