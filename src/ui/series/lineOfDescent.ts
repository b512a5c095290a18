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
