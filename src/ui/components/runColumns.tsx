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
  readonly value?: (run: RunSummary) => string | number | null | undefined;
  readonly cell: (run: RunSummary, now: number) => ReactNode;
}

const textColumn = (id: "algorithm" | "environment", label: string): RunColumn => ({
  id,
  label,
  numeric: false,
  width: "9rem",
  value: (run) => run[id],
  cell: (run) => run[id],
});

function Name({ run }: { readonly run: RunSummary }) {
  return (
    <span className="runs__name">
      <a href={formatRoute(runRoute(run.id))} title={run.name}>
        {run.name}
      </a>
      {run.unsaved !== null && (
        <span className="tag tag--bad" title={unsavedWords(run.unsaved)}>
          not saved
        </span>
      )}
      {run.tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
      <span className="faint runs__what">
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
  {
    id: "name",
    label: "Name",
    numeric: false,
    width: "auto",
    value: ({ name }) => name,
    cell: (run) => <Name run={run} />,
  },
  {
    id: "state",
    label: "State",
    numeric: false,
    width: "9rem",
    value: shownState,
    cell: (run) => <State run={run} />,
  },
  {
    id: "sparkline",
    label: "Trend",
    numeric: false,
    width: "6.5rem",
    cell: ({ sparkline }) => <Sparkline values={sparkline} />,
  },
  {
    id: "best",
    label: "Best",
    numeric: true,
    width: "5.5rem",
    value: ({ best_fitness }) => best_fitness,
    cell: ({ best_fitness }) => formatScore(best_fitness),
  },
  {
    id: "generation",
    label: "Generation",
    numeric: true,
    width: "6.5rem",
    value: ({ generation }) => generation,
    cell: ({ generation }) => formatCount(generation),
  },
  {
    id: "steps",
    label: "Steps",
    numeric: true,
    width: "5rem",
    value: ({ global_step }) => global_step,
    cell: ({ global_step }) => formatShort(global_step),
  },
  {
    id: "speed",
    label: "Steps/s",
    numeric: true,
    width: "5.5rem",
    value: ({ steps_per_second }) => steps_per_second,
    cell: ({ steps_per_second }) => formatShort(steps_per_second),
  },
  {
    id: "age",
    label: "Age",
    numeric: true,
    width: "7rem",
    // The newest run has the lowest age.
    value: ({ created_at }) => -created_at,
    cell: ({ created_at }, now) => formatAgo(created_at, now),
  },
  {
    id: "bytes",
    label: "Size",
    numeric: true,
    width: "5.5rem",
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => formatBytes(bytes),
  },
];

/** Optional columns that every run's summary can fill. */
const summaryColumns: readonly RunColumn[] = [
  textColumn("algorithm", "Algorithm"),
  textColumn("environment", "Environment"),
  {
    id: "device",
    label: "Device",
    numeric: false,
    width: "10rem",
    value: ({ device }) => device,
    cell: ({ device }) => device,
  },
  {
    id: "note",
    label: "Note",
    numeric: false,
    width: "14rem",
    value: ({ note }) => note,
    cell: ({ note }) => note,
  },
  {
    id: "changed",
    label: "Changed",
    numeric: true,
    width: "7rem",
    value: ({ updated_at }) => -updated_at,
    cell: ({ updated_at }, now) => formatAgo(updated_at, now),
  },
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
