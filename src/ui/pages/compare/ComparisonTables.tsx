import { type ReactNode, useMemo, useState } from "react";
import { Segments } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { type Column, Table } from "../../components/Table.tsx";
import { formatHyperparameter, NONE } from "../../lib/format.ts";
import { formatRoute, runRoute } from "../../routes/route.ts";
import { type ConfigRow, configRows, measuresOf, type Pick, picked, shownName } from "./comparison.ts";
import { type ComparedRun, wordOfRuns } from "./OpenRuns.ts";

interface Props {
  readonly title: string;
  readonly runs: readonly ComparedRun[];
  /** Follows the settings in the panel's head. */
  readonly head?: ReactNode;
}

/** A column for each run, with a link to it as the heading. */
const runColumns = <R,>(
  runs: readonly ComparedRun[],
  text: (row: R, run: number) => ReactNode,
): readonly Column<R>[] =>
  runs.map(({ id, name, colour }, run) => ({
    head: id,
    label: (
      <span className="compare__run">
        <i className="colour" style={{ background: `var(--${slotToken(colour)})` }} />{" "}
        <a href={formatRoute(runRoute(id))}>{name}</a>
      </span>
    ),
    number: true,
    cell: (row) => text(row, run),
  }));

const SCOPES = { differences: "Differences", all: "All" } as const;

/** The runs' manifests side by side. */
export function ConfigPanel({ title, runs, head }: Props) {
  const [scope, setScope] = useState<keyof typeof SCOPES>("differences");
  const values = runs.map(({ seed, view }) => ({ seed, manifest: view.manifest }));
  const known = JSON.stringify(values);
  // oxlint-disable-next-line react/exhaustive-deps -- `known` stands for the manifests, which never change
  const rows = useMemo(() => configRows(values), [known]);
  const shown = scope === "all" ? rows : rows.filter(({ differs }) => differs);
  return (
    <Panel
      title={title}
      head={
        <>
          <Segments label="Values" options={SCOPES} value={scope} onChange={setScope} />
          {head}
        </>
      }
    >
      {shown.length === 0 ? (
        <p className="empty">These runs have the same configuration and seed.</p>
      ) : (
        <Table
          label="Configuration table"
          region="compare__config"
          columns={[
            { head: "Value", cell: ({ name }) => <code>{name}</code> },
            ...runColumns<ConfigRow>(runs, ({ values }, run) => values[run] ?? NONE),
          ]}
          rows={shown}
          keyOf={({ name }) => name}
          rowClass={({ differs }) => (differs && scope === "all" ? "compare__differs" : undefined)}
        />
      )}
    </Panel>
  );
}

const PICKS: Readonly<Record<Pick, string>> = { last: "Last", best: "Highest", min: "Lowest" };

interface MetricRow {
  readonly name: string;
  /** A number for each run; NaN if it has none. */
  readonly values: readonly number[];
}

/** A table of all measures of all runs. */
export function MetricsPanel({ title, runs, head }: Props) {
  const [pick, setPick] = useState<Pick>("last");
  const rows = useMemo<readonly MetricRow[]>(
    () =>
      measuresOf(runs.flatMap(({ columns }) => columns ?? [])).map((measure) => ({
        name: shownName(measure, wordOfRuns(runs)),
        values: runs.map(({ columns }) =>
          columns === null ? Number.NaN : picked(measure.of(columns), pick),
        ),
      })),
    [runs, pick],
  );
  return (
    <Panel
      title={title}
      head={
        <>
          <Segments label="Value shown" options={PICKS} value={pick} onChange={setPick} />
          {head}
        </>
      }
    >
      <Table
        label="Metrics table"
        columns={[
          { head: "Metric", cell: ({ name }) => name },
          ...runColumns<MetricRow>(runs, ({ values }, run) => {
            const value = values[run] ?? Number.NaN;
            return Number.isFinite(value) ? formatHyperparameter(value) : NONE;
          }),
        ]}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}
