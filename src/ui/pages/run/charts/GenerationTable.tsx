import { ScrollRegion } from "../../../components/ScrollRegion.tsx";
import { formatCount, formatHyperparameter, NONE } from "../../../lib/format.ts";

const MAX_ROWS = 200;

/** A column of numbers, one per generation. */
export interface TableColumn {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly label: string;
  readonly generations: readonly number[];
  readonly columns: readonly TableColumn[];
}

/** The numbers behind charts over generations, latest first. */
export function GenerationTable({ label, generations, columns }: Props) {
  const rows = generations.map((_, row) => row).toReversed();
  return (
    <>
      <ScrollRegion className="table-scroll generation-table" label={label}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Generation</th>
              {columns.map((column) => (
                <th key={column.label} scope="col" className="number">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <tr key={row}>
                <th scope="row">{formatCount(generations[row] ?? 0)}</th>
                {columns.map((column) => {
                  const value = column.values[row] ?? null;
                  return (
                    <td key={column.label} className="number">
                      {value === null ? NONE : formatHyperparameter(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > MAX_ROWS && (
        <p className="generation-table__note">
          Showing the latest {MAX_ROWS} of {formatCount(rows.length)} generations.
        </p>
      )}
    </>
  );
}
