import { memo } from "react";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatCount, formatDuration, formatScore } from "../../../lib/format.ts";
import { positionsOf } from "../../../series/historyCells.ts";
import type { FitnessModel } from "./fitnessModel.ts";

/** Maximum number of rows; thousands of rows would be slow and hard to read. */
const MAX_ROWS = 200;

type Row = FitnessModel["rows"][number];

/** The numbers behind the fitness chart for evaluated generations, latest first. */
export const FitnessTable = memo(function FitnessTable({ model }: { readonly model: FitnessModel }) {
  const { rows, all } = model;
  const { columns } = all;
  const seconds = positionsOf(columns, "time");
  const score = (head: string, value: (row: Row) => number | null): Column<Row> => ({
    head,
    number: true,
    cell: (row) => formatScore(value(row)),
  });
  return (
    <Table
      label="Fitness by generation"
      height="24rem"
      columns={[
        { head: "Generation", cell: ({ row }) => formatCount(columns.generation[row] ?? 0) },
        { head: "Steps", number: true, cell: ({ row }) => formatCount(columns.global_step[row] ?? 0) },
        { head: "Time", number: true, cell: ({ row }) => formatDuration(seconds[row] ?? 0) },
        score("Elite\u2019s lineage", ({ raw, elite }) => raw?.elite ?? elite),
        score("Lowest", ({ range }) => range[0]),
        score("First quartile", ({ middle }) => middle[0]),
        score("Median", ({ raw, median }) => raw?.median ?? median),
        score("Third quartile", ({ middle }) => middle[1]),
        score("Highest", ({ range }) => range[1]),
        score("Best so far", ({ best }) => best),
      ]}
      rows={rows.slice(-MAX_ROWS).toReversed()}
      keyOf={({ row }) => row}
      below={
        rows.length > MAX_ROWS && (
          <p className="panel__text fitness__note">
            Showing the latest {MAX_ROWS} of {formatCount(rows.length)} generations.
          </p>
        )
      }
    />
  );
});
