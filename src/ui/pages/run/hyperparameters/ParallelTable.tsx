import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { type Column, Table } from "../../../components/Table.tsx";
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
    <Table
      label="Agents"
      height="24rem"
      columns={[
        { head: "Agent", cell: (cell) => `#${index[cell]}` },
        {
          head: "Generation",
          number: true,
          cell: (cell) => formatCount(generation[Math.floor(cell / population)] ?? 0),
        },
        ...axes.map(
          ({ dimension: { name, values } }): Column<number> => ({
            head: name,
            number: true,
            cell: (cell) => formatHyperparameter(values[cell] ?? Number.NaN),
          }),
        ),
      ]}
      rows={shown}
      keyOf={(cell) => cell}
      below={
        cells.length > MAX_ROWS && (
          <p className="panel__text panel__text--small">
            Showing the fittest {MAX_ROWS} of {formatCount(cells.length)} agents.
          </p>
        )
      }
    />
  );
}
