import type { ReactTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { RunSummary } from "../../../workers/protocol.ts";
import type { RunColumn } from "../../components/runColumns.tsx";
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
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label="Select all runs"
              checked={table.getIsAllRowsSelected()}
              ref={(box) => {
                if (box !== null)
                  box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
              }}
              onChange={table.getToggleAllRowsSelectedHandler()}
            />
          </th>
          {columns.map(({ id, label, numeric }) => {
            const column = table.getColumn(id);
            const order = column?.getIsSorted() || null;
            return (
              <th
                key={id}
                scope="col"
                className={numeric ? "number" : undefined}
                aria-sort={order === null ? undefined : ORDER[order]}
              >
                {column?.getCanSort() ? (
                  <button
                    type="button"
                    className="runs__sort"
                    title={`Sort by ${label}`}
                    onClick={column.getToggleSortingHandler()}
                  >
                    {label}
                    {order === "asc" && <ArrowUp aria-hidden="true" />}
                    {order === "desc" && <ArrowDown aria-hidden="true" />}
                  </button>
                ) : (
                  label
                )}
              </th>
            );
          })}
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
    </>
  );
}
