import type { RowSelectionState } from "@tanstack/react-table";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { Button } from "../../components/Button.tsx";
import { type Configs, columnOf, fixedColumns } from "../../components/runColumns.tsx";
import { EmptyView, SkeletonView } from "../../components/ViewState.tsx";
import { configurationNames } from "../../lib/configurations.ts";
import { loadable } from "../../lib/loadable.tsx";
import { flatConfig } from "../../lib/manifestValues.ts";
import { whenIdle } from "../../lib/whenIdle.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import type { RunsRoute } from "../../routes/route.ts";
import { MOST_CURVES, NO_CHOICE, type RunsQuery } from "../../routes/runsQuery.ts";
import { useAttempt } from "../../state/useAnswer.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { preloadRunPage } from "../lazyPages.tsx";
import { RunsTable } from "./RunsTable.tsx";
import { RunsToolbar } from "./RunsToolbar.tsx";
import { type Configurations, runFilter } from "./runFilter.ts";
import { SelectionBar } from "./SelectionBar.tsx";

/** Values of the runs' manifests, read when columns need them and again when the list of runs changes. */
function useConfigs(
  runs: readonly RunSummary[],
  columns: readonly string[],
): { configs: Configs; load: () => void } {
  const { coordinator } = useWorkbench();
  const [wanted, setWanted] = useState(false);
  const load = useCallback(() => setWanted(true), []);
  const read = useCallback(async (): Promise<Configs> => {
    const manifests = Object.entries(await coordinator.manifests());
    return new Map(manifests.map(([id, manifest]) => [id, flatConfig(manifest)]));
  }, [coordinator]);
  const needed = wanted || columns.length > 0;
  // Depends on the ids instead of the runs, whose numbers change often.
  const configs = useAttempt(needed ? read : null, "manifests", runs.map(({ id }) => id).join(" "));
  return { configs: configs ?? NONE, load };
}

const RunCurves = loadable(
  async () => (await import("./RunCurves.tsx")).RunCurves,
  <SkeletonView label="Loading the curves…" />,
);

const NONE: Configs = new Map();
const NO_NAMES: Configurations = new Map();

interface Props {
  readonly runs: readonly RunSummary[];
  readonly route: RunsRoute;
}

/** The table of runs, with controls for its rows and columns. */
export function RunsPanel({ runs, route }: Props) {
  const { configs, load } = useConfigs(
    runs,
    route.group === "configuration" ? ["configuration"] : route.columns,
  );
  // The next click is likely to open a run.
  useEffect(() => whenIdle(preloadRunPage), []);
  const [selection, select] = useState<RowSelectionState>({});
  const search = useRef<HTMLInputElement>(null);
  const columns = useMemo(
    () => [...fixedColumns, ...route.columns.map((name) => columnOf(name, configs))],
    [route.columns, configs],
  );
  const shown = useMemo(
    () => [...runs].sort((a, b) => b.created_at - a.created_at).filter(runFilter(route.q)),
    [runs, route.q],
  );
  const configurations = useMemo(() => {
    if (route.group !== "configuration") return NO_NAMES;
    const names = configurationNames([...configs.values()]);
    return new Map([...configs.keys()].map((id, at) => [id, names[at] ?? ""]));
  }, [configs, route.group]);
  const selected = shown.filter(({ id }) => selection[id] === true);
  const change = (part: Partial<RunsQuery>): void => replaceRoute({ ...route, view: null, ...part });
  const { curves } = route;
  // All of them are hidden if all are shown, else the rest is shown too.
  const toggleCurves = (ids: readonly string[]): void => {
    const others = curves.filter((id) => !ids.includes(id));
    const hides = ids.every((id) => curves.includes(id));
    change({ curves: hides ? others : [...new Set([...curves, ...ids])].slice(-MOST_CURVES) });
  };
  const list = (
    <section className="panel runs__panel" aria-label="Runs">
      <RunsToolbar
        route={route}
        configs={configs}
        count={shown.length}
        total={runs.length}
        search={search}
        onChange={change}
        onColumns={load}
      />
      {selected.length > 0 && (
        <SelectionBar
          runs={selected}
          onDone={() => {
            select({});
            // The pressed button disappears with the selection.
            search.current?.focus();
          }}
        />
      )}
      {shown.length === 0 ? (
        <EmptyView
          title="No matching runs"
          action={<Button onClick={() => change(NO_CHOICE)}>Show all runs</Button>}
        />
      ) : (
        <RunsTable
          runs={shown}
          columns={columns}
          sort={route.sort}
          group={route.group}
          selection={selection}
          configurations={configurations}
          curves={curves}
          onCurves={toggleCurves}
          onSort={(sort) => change({ sort })}
          onSelect={select}
        />
      )}
    </section>
  );
  if (curves.length === 0) return list;
  return (
    <div className="runs__workspace grid gap-4">
      {list}
      <RunCurves
        ids={curves}
        panels={route.panels}
        onPanels={(panels) => change({ panels })}
        onClear={() => change({ curves: [] })}
      />
    </div>
  );
}
