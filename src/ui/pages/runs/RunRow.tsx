import type { ReactTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Eye, EyeOff, Play } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import type { RunColumn } from "../../components/runColumns.tsx";
import { shownState } from "../../components/runState.tsx";
import { type ColumnHead, TableHead } from "../../components/Table.tsx";
import { formatScore, formatThings } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { compareRoute, LEAST_RUNS, MOST_RUNS } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import type { RunsFeatures } from "./RunsTable.tsx";
import { groupResult } from "./runFilter.ts";

interface RunsHeadProps {
  readonly table: ReactTable<RunsFeatures, RunSummary>;
  readonly columns: readonly RunColumn[];
}

const ORDER = { asc: "ascending", desc: "descending" } as const;

/** The table's header: a checkbox that selects all runs, and sortable column headings. */
export function RunsHead({ table, columns }: RunsHeadProps) {
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
function SelectAll({ table }: Pick<RunsHeadProps, "table">) {
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

interface Props {
  readonly run: RunSummary;
  readonly columns: readonly RunColumn[];
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
  /** Row number in the whole table; the header is 1. */
  readonly position: number;
  readonly selected: boolean;
  /** Index of the colour of its curve; null if that is not shown. */
  readonly colour: number | null;
  /** Whether this row is active for keyboard navigation. */
  readonly active: boolean;
  /** Returns whether the row should take the focus on becoming active. */
  readonly takesFocus: () => boolean;
  readonly onSelect: (id: string) => void;
  /** Shows or hides its curve. */
  readonly onCurve: () => void;
  readonly onActivate: () => void;
}

/** One run of the list. */
export const RunRow = memo(
  function RunRow({
    run,
    columns,
    now,
    position,
    selected,
    colour,
    active,
    takesFocus,
    onSelect,
    onCurve,
    onActivate,
  }: Props) {
    const workbench = useWorkbench();
    const row = useRef<HTMLTableRowElement>(null);
    useEffect(() => {
      if (active && takesFocus()) row.current?.querySelector("a")?.focus();
    }, [active, takesFocus]);
    const resume = (): Promise<boolean> =>
      workbench.attempt(() => workbench.coordinator.resumeLater(run.id), `resume ${run.id}`);
    return (
      <tr ref={row} aria-rowindex={position} data-selected={selected} onFocus={onActivate}>
        <td>
          <input
            type="checkbox"
            aria-label={`Select ${run.name}`}
            checked={selected}
            onChange={() => onSelect(run.id)}
          />
          <EyeButton name={run.name} colour={colour} onClick={onCurve} />
        </td>
        {columns.map(({ id, numeric, cell }) =>
          id === "name" ? (
            <th key={id} scope="row">
              {cell(run, now)}
            </th>
          ) : (
            <td key={id} className={numeric ? "number" : undefined}>
              {cell(run, now)}
            </td>
          ),
        )}
        <td className="runs__act">
          {!run.waiting && (run.state === "interrupted" || run.state === "paused") && (
            <IconButton
              label={`Resume ${run.name}`}
              title="Resume, or wait in the queue while another run trains"
              icon={Play}
              onClick={() => void resume()}
            />
          )}
        </td>
      </tr>
    );
  },
  // Functions are new on each render but equivalent, so they are not compared.
  (before, after) =>
    before.run === after.run &&
    before.columns === after.columns &&
    before.now === after.now &&
    before.position === after.position &&
    before.selected === after.selected &&
    before.colour === after.colour &&
    before.active === after.active,
);

interface EyeButtonProps {
  readonly name: string;
  /** See {@link Props}. */
  readonly colour: Props["colour"];
  readonly onClick: () => void;
}

/** Shows or hides a curve, in whose colour it is. */
function EyeButton({ name, colour, onClick }: EyeButtonProps) {
  const shown = colour !== null;
  return (
    <IconButton
      className="runs__eye"
      label={`Curve of ${name}`}
      icon={shown ? Eye : EyeOff}
      aria-pressed={shown}
      title={shown ? "Hide the curve" : "Show the curve"}
      style={shown ? { color: `var(--${slotToken(colour)})` } : undefined}
      onClick={onClick}
    />
  );
}

function bestText(runs: readonly RunSummary[]): string {
  const best = Math.max(...runs.map(({ best_fitness }) => best_fitness ?? Number.NEGATIVE_INFINITY));
  return `${formatThings(runs.length, "run")}, best ${formatScore(best)}`;
}

const UNFINISHED = ["running", "paused", "fetching", "queued", "interrupted", "stopped", "failed"] as const;

/** The result of repeats, and how many of them there are in which other state. */
function repeatsText(runs: readonly RunSummary[]): string {
  const { n, mean, interval } = groupResult(runs);
  const states = runs.map(shownState);
  const others = UNFINISHED.map((state) => [state, states.filter((one) => one === state).length] as const);
  return [
    `n = ${n}`,
    ...(mean === null ? [] : [`mean ${formatScore(mean)}`]),
    ...(interval === null ? [] : [`95 % interval ${interval.map(formatScore).join(" to ")}`]),
    ...others.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`),
  ].join(", ");
}

interface GroupRowProps {
  /** Null for the runs without a value. */
  readonly name: string | null;
  /** Whether its runs are repeats of one run. */
  readonly repeats: boolean;
  readonly runs: readonly RunSummary[];
  readonly span: number;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Ids of the runs whose curves are shown. */
  readonly curves: readonly string[];
  readonly onCurves: (ids: readonly string[]) => void;
}

/** The header row of a group of runs, which collapses the group. */
export function GroupRow({ name, repeats, runs, span, open, onToggle, curves, onCurves }: GroupRowProps) {
  const Icon = open ? ChevronDown : ChevronRight;
  const ids = runs.map(({ id }) => id);
  const compare = (): void => {
    const oldest = runs.toSorted((a, b) => a.created_at - b.created_at).slice(0, MOST_RUNS);
    navigate(compareRoute(oldest.map(({ id }) => id)));
  };
  const isShown = ids.every((id) => curves.includes(id));
  return (
    <tr className="runs__group">
      <th scope="rowgroup" colSpan={span}>
        <div className="runs__group-line">
          <button type="button" className="table__sort" aria-expanded={open} onClick={onToggle}>
            <Icon aria-hidden="true" />
            <span className="clip runs__group-name">{name ?? "none"}</span>
            <span className="faint clip runs__what">{repeats ? repeatsText(runs) : bestText(runs)}</span>
          </button>
          <Button small quiet aria-pressed={isShown} onClick={() => onCurves(ids)}>
            {isShown ? "Hide curves" : "Show curves"}
          </Button>
          {repeats && runs.length >= LEAST_RUNS && (
            <Button
              small
              quiet
              title={
                runs.length > MOST_RUNS
                  ? `Compares the first ${MOST_RUNS} runs side by side`
                  : "Compares its runs side by side"
              }
              onClick={compare}
            >
              Compare
            </Button>
          )}
        </div>
      </th>
    </tr>
  );
}
