import {
  type ColumnDef,
  createSortedRowModel,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { fittingColumns, fixedColumns, leastWidth, type RunColumn } from "../../components/runColumns.tsx";
import { useNow } from "../../lib/updateClock.ts";
import { useElementWidth } from "../../lib/useElement.ts";
import type { RunGroup, RunSort } from "../../routes/runsQuery.ts";
import { runColours } from "../../series/runColours.ts";
import { GroupRow, RunRow, RunsHead } from "./RunRow.tsx";
import { type Configurations, groupRuns } from "./runFilter.ts";
import { useRowKeys } from "./useRowKeys.ts";

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
});

const FIXED: ReadonlySet<string> = new Set(fixedColumns.map(({ id }) => id));

export type RunsFeatures = typeof features;

/** Height of a row in pixels, equal to `--row`. */
const ROW = 32;

/** Height in pixels of what may cover rows: the header above, on small screens the navigation below. */
const COVERED = { scrollPaddingStart: 2 * ROW, scrollPaddingEnd: 2 * ROW };

/** Width in rem below which the row of a group has two lines; without a column of states it has three. */
const NARROW = 45;

/** Names of layouts by the lines of a group. */
const SIZES = { 1: "wide", 2: "narrow", 3: "small" } as const;

/** Pixels of a rem. */
const remInPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

interface Props {
  readonly runs: readonly RunSummary[];
  readonly columns: readonly RunColumn[];
  readonly sort: RunSort | null;
  readonly group: RunGroup | null;
  readonly selection: RowSelectionState;
  readonly configurations: Configurations;
  /** Ids of the runs whose curves are shown. */
  readonly curves: readonly string[];
  /** Shows or hides the curves of runs. */
  readonly onCurves: (ids: readonly string[]) => void;
  readonly onSort: (sort: RunSort | null) => void;
  readonly onSelect: (selection: RowSelectionState) => void;
}

/** A line of the table. */
type Line =
  | { readonly kind: "group"; readonly name: string | null; readonly runs: readonly RunSummary[] }
  | { readonly kind: "run"; readonly run: RunSummary; readonly key: string };

const definitionOf = ({ id, value, numeric }: RunColumn): ColumnDef<RunsFeatures, RunSummary> => ({
  id,
  accessorFn: (run) => value?.(run) ?? undefined,
  enableSorting: value !== undefined,
  sortFn: numeric ? sortFn_basic : sortFn_alphanumeric,
  sortDescFirst: numeric,
  sortUndefined: "last",
});

/**
 * The table of runs, virtualised: only visible rows are in the DOM. It scrolls with the page,
 * and shows the columns for which there is room.
 */
export function RunsTable({
  runs,
  columns: wanted,
  sort,
  group,
  selection,
  configurations,
  curves,
  onCurves,
  onSort,
  onSelect,
}: Props) {
  const now = useNow();
  const { width, ref } = useElementWidth();
  const rems = width === 0 ? Number.POSITIVE_INFINITY : width / remInPixels();
  const columns = useMemo(() => fittingColumns(wanted, rems), [wanted, rems]);
  const isSmall = !columns.some(({ id }) => id === "state");
  const groupLines = isSmall ? 3 : rems < NARROW ? 2 : 1;
  const data = useMemo(() => [...runs], [runs]);
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const sorting = useMemo<SortingState>(
    () => (sort === null ? [] : [{ id: sort.column, desc: sort.descending }]),
    [sort],
  );
  const table = useTable({
    features,
    columns: definitions,
    data,
    state: { sorting, rowSelection: selection },
    getRowId: ({ id }) => id,
    onSortingChange: (change) => {
      const [next] = typeof change === "function" ? change(sorting) : change;
      onSort(next === undefined ? null : { column: next.id, descending: next.desc });
    },
    onRowSelectionChange: (change) => onSelect(typeof change === "function" ? change(selection) : change),
  });
  const colours = useMemo(() => runColours(curves), [curves]);
  const sorted = table.getRowModel().rows;
  const [closed, setClosed] = useState<ReadonlySet<string | null>>(new Set());
  const lines = useMemo<readonly Line[]>(() => {
    const ordered = sorted.map(({ original }) => original);
    if (group === null) return ordered.map((run) => ({ kind: "run", run, key: run.id }));
    return groupRuns(ordered, group, configurations).flatMap((one): Line[] => [
      { kind: "group", ...one },
      ...(closed.has(one.name)
        ? []
        : one.runs.map((run): Line => ({ kind: "run", run, key: `${one.name}/${run.id}` }))),
    ]);
  }, [sorted, group, closed, configurations]);

  const body = useRef<HTMLTableSectionElement>(null);
  // Where the rows begin in the page, which what is above them changes.
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  }, [width, selection, lines.length]);
  // oxlint-disable-next-line react/incompatible-library -- its result is not passed to memoised components
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (at) => (lines[at]?.kind === "group" ? groupLines * ROW : ROW),
    scrollMargin,
    ...COVERED,
    overscan: 12,
    useFlushSync: false,
  });
  const toggle = (id: string): void => table.getRow(id).toggleSelected();
  const { active, activate, takesFocus } = useRowKeys({
    count: lines.length,
    idAt: (at) => {
      const line = lines[at];
      return line?.kind === "run" ? line.run.id : null;
    },
    onSelect: toggle,
    scrollTo: (at) => virtualizer.scrollToIndex(at),
  });
  // The heights of groups differ.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, groupLines, lines]);
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.start ?? scrollMargin, items.at(-1)?.end ?? scrollMargin];
  const [above, below] = [first - scrollMargin, virtualizer.getTotalSize() + scrollMargin - last];
  const span = columns.length + 2;
  const isWide = leastWidth(columns) > rems && columns.some(({ id }) => !FIXED.has(id));
  return (
    // Only columns that the user has added can be too wide.
    <div ref={ref} className={isWide ? "table-scroll" : undefined}>
      <table
        className={`table runs__table runs__table--${SIZES[groupLines]}`}
        style={isWide ? { minWidth: `${leastWidth(columns)}rem` } : undefined}
        aria-rowcount={lines.length + 1}
      >
        <RunsHead table={table} columns={columns} />
        <tbody ref={body}>
          {above > 0 && <Gap height={above} span={span} />}
          {items.map(({ index }) => {
            const line = lines[index];
            if (line === undefined) return null;
            return line.kind === "group" ? (
              <GroupRow
                key={`group ${line.name}`}
                name={line.name}
                repeats={group === "repeats" && line.name !== null}
                runs={line.runs}
                span={span}
                open={!closed.has(line.name)}
                onToggle={() => setClosed(toggled(closed, line.name))}
                curves={curves}
                onCurves={onCurves}
              />
            ) : (
              <RunRow
                key={line.key}
                run={line.run}
                columns={columns}
                now={now}
                position={index + 2}
                selected={selection[line.run.id] === true}
                colour={colours.get(line.run.id) ?? null}
                active={active === index}
                takesFocus={takesFocus}
                onSelect={toggle}
                onCurve={() => onCurves([line.run.id])}
                onActivate={() => activate(index)}
              />
            );
          })}
          {below > 0 && <Gap height={below} span={span} />}
        </tbody>
      </table>
    </div>
  );
}

/** A spacer row in place of the rows outside the viewport. */
function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    <tr aria-hidden="true" className="runs__gap">
      <td colSpan={span} style={{ height }}>
        {"\u00A0"}
      </td>
    </tr>
  );
}

function toggled<T>(set: ReadonlySet<T>, entry: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(entry)) next.add(entry);
  return next;
}
