import "../../../components/plot/Plot.css";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { Legend, LegendEntry } from "../../../components/marks.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatCount, formatHyperparameter, NONE } from "../../../lib/format.ts";
import { isCrowded } from "./descentModel.ts";

interface PlotKeyProps {
  readonly columns: HistoryColumns;
  readonly bounds?: boolean;
  readonly steering?: boolean;
  readonly selected: boolean;
}

/** The legend of the charts of members. */
export function PlotKey({ columns, bounds = false, steering = false, selected }: PlotKeyProps) {
  return (
    <Legend small>
      <LegendEntry of="elite">elite and its ancestors</LegendEntry>
      {selected && <LegendEntry of="selected">selected agent and its ancestors</LegendEntry>}
      {isCrowded(columns) ? (
        <>
          <LegendEntry of="median">median</LegendEntry>
          <LegendEntry of="band">middle half and full range</LegendEntry>
        </>
      ) : (
        <>
          <LegendEntry of="living">surviving lineages, one colour each</LegendEntry>
          <LegendEntry of="faded">ended lineages</LegendEntry>
        </>
      )}
      {bounds && <LegendEntry of="bound">mutation bounds</LegendEntry>}
      {steering && <LegendEntry of="mark">set manually</LegendEntry>}
    </Legend>
  );
}

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
