import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { ScrollRegion } from "../../../components/ScrollRegion.tsx";
import { formatCount, formatHyperparameter } from "../../../lib/format.ts";
import type { ShownAxis } from "./drawParallel.ts";

const MAX_ROWS = 200;

interface Props {
  readonly columns: HistoryColumns;
  readonly cells: readonly number[];
  readonly axes: readonly ShownAxis[];
}

/** The agents of the parallel coordinates as a table, fittest first. */
export function ParallelTable({ columns, cells, axes }: Props) {
  const { fitness, generation, index, population } = columns;
  const value = (cell: number): number => fitness[cell] ?? Number.NaN;
  const rank = (cell: number): number =>
    Number.isFinite(value(cell)) ? value(cell) : Number.NEGATIVE_INFINITY;
  const shown = cells.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_ROWS);
  return (
    <ScrollRegion className="table-scroll parallel__table" label="Agents">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col" className="number">
              Generation
            </th>
            {axes.map(({ dimension: { name } }) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((cell) => (
            <tr key={cell}>
              <th scope="row">#{index[cell]}</th>
              <td className="number">{formatCount(generation[Math.floor(cell / population)] ?? 0)}</td>
              {axes.map(({ dimension: { name, values } }) => (
                <td key={name} className="number">
                  {formatHyperparameter(values[cell] ?? Number.NaN)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {cells.length > MAX_ROWS && (
        <p className="parallel__note">
          Showing the fittest {MAX_ROWS} of {formatCount(cells.length)} agents.
        </p>
      )}
    </ScrollRegion>
  );
}
