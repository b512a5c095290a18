import { type Column, Table } from "../../../components/Table.tsx";
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
      <Table
        label={label}
        height="36rem"
        columns={[
          { head: "Generation", cell: (row) => formatCount(generations[row] ?? 0) },
          ...columns.map(
            (column): Column<number> => ({
              head: column.label,
              number: true,
              cell: (row) => {
                const value = column.values[row] ?? null;
                return value === null ? NONE : formatHyperparameter(value);
              },
            }),
          ),
        ]}
        rows={rows.slice(0, MAX_ROWS)}
        keyOf={(row) => row}
      />
      {rows.length > MAX_ROWS && (
        <p className="panel__text panel__text--small">
          Showing the latest {MAX_ROWS} of {formatCount(rows.length)} generations.
        </p>
      )}
    </>
  );
}
