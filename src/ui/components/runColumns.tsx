import type { ReactNode } from "react";
import type { RunSummary, Unsaved } from "../../workers/protocol.ts";
import { formatAgo, formatBytes, formatCount, formatScore, formatShort } from "../lib/format.ts";
import { formatRoute, runRoute } from "../routes/route.ts";
import { fetchedBytes, StateBadge, shownState } from "./runState.tsx";
import { Sparkline } from "./Sparkline.tsx";

/** A column of the list of runs. */
export interface RunColumn {
  readonly id: string;
  readonly label: string;
  /** Whether the column is numeric, and thus right-aligned. */
  readonly numeric: boolean;
  /** CSS width. */
  readonly width: string;
  /** The value to sort by; null and undefined come last. Absent if the column is not sortable. */
  readonly value?: (run: RunSummary) => Value;
  readonly cell: (run: RunSummary, now: number) => ReactNode;
}

type Value = string | number | null | undefined;

/** A column of texts. */
const text = (id: string, label: string, width: string, value: (run: RunSummary) => Value): RunColumn => ({
  id,
  label,
  numeric: false,
  width,
  value,
  cell: value,
});

/** A column of numbers. */
const number = <V extends number | null>(
  id: string,
  label: string,
  width: string,
  value: (run: RunSummary) => V,
  format: (value: V) => string,
): RunColumn => ({ id, label, numeric: true, width, value, cell: (run) => format(value(run)) });

/** A column of moments, as the time since then; the latest has the lowest age. */
const age = (id: string, label: string, moment: (run: RunSummary) => number): RunColumn => ({
  id,
  label,
  numeric: true,
  width: "7rem",
  value: (run) => -moment(run),
  cell: (run, now) => formatAgo(moment(run), now),
});

function Name({ run }: { readonly run: RunSummary }) {
  return (
    <span className="line gap-2 shrinks">
      <a className="clip" href={formatRoute(runRoute(run.id))} title={run.name}>
        {run.name}
      </a>
      {run.unsaved !== null && (
        <span className="tag tag--bad tiny rigid" title={unsavedWords(run.unsaved)}>
          not saved
        </span>
      )}
      {run.tags.map((tag) => (
        <span key={tag} className="tag tiny rigid">
          {tag}
        </span>
      ))}
      <span className="faint clip runs__what">
        {run.algorithm} · {run.environment}
      </span>
    </span>
  );
}

const unsavedWords = ({ since, full }: Unsaved): string =>
  `Nothing is saved since generation ${formatCount(since)}: ${full ? "storage is full" : "writing to storage fails"}`;

/** A run's state, and the progress of its data set's download. */
function State({ run }: { readonly run: RunSummary }) {
  const { fetch } = run;
  const share = fetch?.total ? `${Math.floor((100 * fetch.received) / fetch.total)} %` : null;
  return (
    <span title={fetch === null ? undefined : `${fetch.dataset}: ${fetchedBytes(fetch)}`}>
      <StateBadge state={shownState(run)} />
      {share !== null && ` ${share}`}
    </span>
  );
}

/** Columns that are always shown, in order. */
export const fixedColumns: readonly RunColumn[] = [
  { ...text("name", "Name", "auto", ({ name }) => name), cell: (run) => <Name run={run} /> },
  { ...text("state", "State", "9rem", shownState), cell: (run) => <State run={run} /> },
  {
    id: "sparkline",
    label: "Trend",
    numeric: false,
    width: "6.5rem",
    cell: ({ sparkline }) => <Sparkline values={sparkline} />,
  },
  number("best", "Best", "5.5rem", ({ best_fitness }) => best_fitness, formatScore),
  number("generation", "Generation", "6.5rem", ({ generation }) => generation, formatCount),
  number("steps", "Steps", "5rem", ({ global_step }) => global_step, formatShort),
  number("speed", "Steps/s", "5.5rem", ({ steps_per_second }) => steps_per_second, formatShort),
  age("age", "Age", ({ created_at }) => created_at),
  number("bytes", "Size", "5.5rem", ({ bytes }) => bytes, formatBytes),
];

/** Widths in rem of a readable name, and of the columns of checkboxes and buttons beside it. */
const [LEAST_NAME, BESIDE] = [16, 8];

/** The fixed columns that give way to the others, in this order. */
const GIVE_WAY: readonly string[] = ["bytes", "speed", "generation", "age", "steps", "sparkline"];

/** Width in rem that a table of runs with these columns needs. */
export const leastWidth = (columns: readonly RunColumn[]): number =>
  columns.reduce((sum, { width }) => sum + (Number.parseFloat(width) || LEAST_NAME), BESIDE);

/** The column of names in narrow lists, which have no column of states. */
const namesWithStates = (column: RunColumn): RunColumn => ({
  ...column,
  cell: (run) => {
    const state = shownState(run);
    return (
      <span className="line gap-2 shrinks">
        <span className={`state-badge state-badge--bare state-badge--${state}`} title={state}>
          <span className="state-badge__dot" aria-hidden="true" />
          <span className="visually-hidden">{state}</span>
        </span>
        <Name run={run} />
      </span>
    );
  },
});

/** The columns for which a table has room; those that the user has chosen stay. @param rems Its width. */
export function fittingColumns(columns: readonly RunColumn[], rems: number): readonly RunColumn[] {
  let shown = columns;
  for (const name of GIVE_WAY) {
    if (leastWidth(shown) <= rems) return shown;
    shown = shown.filter(({ id }) => id !== name);
  }
  if (leastWidth(shown) <= rems) return shown;
  return shown
    .filter(({ id }) => id !== "state")
    .map((column) => (column.id === "name" ? namesWithStates(column) : column));
}

/** Optional columns that every run's summary can fill. */
const summaryColumns: readonly RunColumn[] = [
  text("algorithm", "Algorithm", "9rem", ({ algorithm }) => algorithm),
  text("environment", "Environment", "9rem", ({ environment }) => environment),
  { ...text("seed", "Seed", "7rem", ({ seed }) => seed), numeric: true },
  text("device", "Device", "10rem", ({ device }) => device),
  text("note", "Note", "14rem", ({ note }) => note),
  age("changed", "Changed", ({ updated_at }) => updated_at),
];

/** Values of the runs' manifests, by run id and dotted name. */
export type Configs = ReadonlyMap<string, ReadonlyMap<string, string | number>>;

function configColumn(name: string, configs: Configs): RunColumn {
  const value = (run: RunSummary) => configs.get(run.id)?.get(name);
  const known = [...configs.values()].flatMap((config) => config.get(name) ?? []);
  return {
    id: name,
    label: name,
    numeric: known.length > 0 && known.every((one) => typeof one === "number"),
    width: "11rem",
    value,
    cell: value,
  };
}

/** The optional column with a name: a property of the run, or a field of the manifest. */
export const columnOf = (name: string, configs: Configs): RunColumn =>
  summaryColumns.find(({ id }) => id === name) ?? configColumn(name, configs);

/** Names of optional columns by group: properties of the run, then the manifest's sections. */
export function columnGroups(
  configs: Configs,
): readonly (readonly [group: string, names: readonly string[]])[] {
  const names = new Set([...configs.values()].flatMap((config) => [...config.keys()]));
  const groups = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const group = name.split(".", 1)[0] ?? "";
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [["run", summaryColumns.map(({ id }) => id)], ...groups];
}
