import type { ReactTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { RunSummary } from "../../../workers/protocol.ts";
import type { RunColumn } from "../../components/runColumns.tsx";
import { type ColumnHead, TableHead } from "../../components/Table.tsx";
import type { RunsFeatures } from "./RunsTable.tsx";

interface Props {
  readonly table: ReactTable<RunsFeatures, RunSummary>;
  readonly columns: readonly RunColumn[];
}

const ORDER = { asc: "ascending", desc: "descending" } as const;

/** The table's header: a checkbox that selects all runs, and sortable column headings. */
export function RunsHead({ table, columns }: Props) {
  return (
    <>
      <colgroup>
        <col className="runs__select" />
        {columns.map(({ id, width }) => (
          <col key={id} style={width === "auto" ? undefined : { width }} />
        ))}
        <col className="runs__act" />
      </colgroup>
      <TableHead
        columns={[
          { head: "Select", label: <SelectAll table={table} /> },
          ...columns.map(({ id, label, numeric }): ColumnHead => {
            const column = table.getColumn(id);
            const order = column?.getIsSorted() || null;
            const number = numeric;
            if (!column?.getCanSort()) return { head: id, label, number };
            return {
              head: id,
              label: (
                <button
                  type="button"
                  className="table__sort"
                  title={`Sort by ${label}`}
                  onClick={column.getToggleSortingHandler()}
                >
                  {label}
                  {order === "asc" && <ArrowUp aria-hidden="true" />}
                  {order === "desc" && <ArrowDown aria-hidden="true" />}
                </button>
              ),
              number,
              sorted: order === null ? undefined : ORDER[order],
            };
          }),
          { head: "Actions", hidden: true },
        ]}
      />
    </>
  );
}

/** A checkbox that selects all runs. */
function SelectAll({ table }: Pick<Props, "table">) {
  return (
    <input
      type="checkbox"
      aria-label="Select all runs"
      checked={table.getIsAllRowsSelected()}
      ref={(box) => {
        if (box !== null) box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
      }}
      onChange={table.getToggleAllRowsSelectedHandler()}
    />
  );
}
