/**
 * A column's values along one line of descent: for each row, the value of the agent in `cells`, or null if
 * there is none.
 * @param cells by row; -1 for none
 */
export function lineOfDescent(values: ArrayLike<number>, cells: ArrayLike<number>): (number | null)[] {
  return Array.from(cells, (cell) => {
    const value = cell < 0 ? Number.NaN : (values[cell] ?? Number.NaN);
    return Number.isFinite(value) ? value : null;
  });
}

/** The nearest earlier cell along descent that has a value; -1 for none. */
export function valuedBefore(
  graph: { before(cell: number): number },
  values: ArrayLike<number>,
  cell: number,
): number {
  let at = graph.before(cell);
  while (at >= 0 && !Number.isFinite(values[at])) at = graph.before(at);
  return at;
}
