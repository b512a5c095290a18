import { type ReactNode, useMemo, useState } from "react";
import { Segments, Select } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Plot } from "../../components/plot/Plot.tsx";
import type { PlotModel } from "../../components/plot/PlotModel.ts";
import { PlotSmoothing } from "../../components/plot/PlotSmoothing.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { configurationNames } from "../../lib/configurations.ts";
import { formatCount, formatHyperparameter, formatThings } from "../../lib/format.ts";
import { flatConfig } from "../../lib/manifestValues.ts";
import type { ChartAxis } from "../../routes/route.ts";
import { positionsOf } from "../../series/historyCells.ts";
import { AXES, formatPosition } from "../../series/scales.ts";
import { type Measure, measuresOf, overlay } from "./comparison.ts";
import type { ComparedRun } from "./OpenRuns.ts";
import { meanOf, type Values } from "./seedMeans.ts";
import "./CurvesPanel.css";

/** Runs by environment, in the order of the first run of each. */
function byEnvironment(runs: readonly ComparedRun[]): ReadonlyMap<string, readonly ComparedRun[]> {
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    const environment = run.view.summary?.environment ?? "";
    groups.set(environment, [...(groups.get(environment) ?? []), run]);
  }
  return groups;
}

/** Names of the configurations of runs, and the runs of each, in the order of the first of each. */
function bySeeds(runs: readonly ComparedRun[]): ReadonlyMap<string, readonly number[]> {
  const names = configurationNames(runs.map(({ view }) => flatConfig(view.manifest)));
  const groups = new Map<string, number[]>();
  for (const [at, name] of names.entries()) groups.set(name, [...(groups.get(name) ?? []), at]);
  return groups;
}

/** A line for each run. */
const runLines = (
  runs: readonly ComparedRun[],
  lines: readonly Values[],
): Pick<PlotModel, "lines" | "bands"> => ({
  lines: runs.map(({ id, view, place }, at) => ({
    label: view.summary?.name ?? "",
    // Runs may have the same name.
    group: id,
    values: lines[at] ?? [],
    colour: slotToken(place),
    width: 2,
    read: true,
  })),
  bands: [],
});

/** The mean over the seeds of each configuration, with its interval. */
function seedLines(
  runs: readonly ComparedRun[],
  x: readonly number[],
  lines: readonly Values[],
): Pick<PlotModel, "lines" | "bands"> {
  const groups = [...bySeeds(runs)].map(([name, members], slot) => ({
    label: `${name} (n = ${members.length})`,
    colour: slotToken(slot),
    ...meanOf(
      x,
      members.map((at) => lines[at] ?? []),
    ),
  }));
  return {
    lines: groups.flatMap(({ label, colour, mean, low, high }) => [
      { label, group: label, values: mean, colour, width: 2, read: true },
      { label: `${label} low`, group: label, values: low, colour, width: 0, read: false },
      { label: `${label} high`, group: label, values: high, colour, width: 0, read: false },
    ]),
    bands: groups.map(({ label, colour }, at) => ({
      between: [3 * at + 2, 3 * at + 1],
      colour,
      opacity: BAND,
      group: label,
    })),
  };
}

/** Opacity of an interval. */
const BAND = 0.2;

/** One measure of some runs on common axes. */
function modelOf(runs: readonly ComparedRun[], measure: Measure, axis: ChartAxis, seeds: boolean): PlotModel {
  const { x, lines } = overlay(
    runs.flatMap(({ columns }) =>
      columns === null ? [] : [{ x: positionsOf(columns, axis), y: measure.of(columns) }],
    ),
  );
  return {
    ...(seeds ? seedLines(runs, x, lines) : runLines(runs, lines)),
    axis,
    axisLabel: AXES[axis].toLowerCase(),
    x,
    log: false,
    bounds: [],
    marks: [],
    joined: true,
    format: formatHyperparameter,
    formatX: axis === "generation" ? formatCount : formatPosition[axis],
  };
}

const LINES = { runs: "Runs", seeds: "Means over seeds" } as const;

interface Props {
  readonly runs: readonly ComparedRun[];
  /** Follows the settings in the panel's head. */
  readonly head?: ReactNode;
}

/** One measure for all runs: a line per run or per configuration, and a chart per environment. */
export function CurvesPanel({ runs, head }: Props) {
  const [lines, setLines] = useState<keyof typeof LINES>("runs");
  const [axis, setAxis] = useState<ChartAxis>("steps");
  const [chosen, setChosen] = useState<string | null>(null);
  const read = useMemo(
    () => runs.filter(({ columns }) => columns !== null && columns.generations > 0),
    [runs],
  );
  const measures = useMemo(() => measuresOf(read.flatMap(({ columns }) => columns ?? [])), [read]);
  const measure = measures.find(({ name }) => name === chosen) ?? measures[0];
  const hasSeeds = useMemo(() => bySeeds(read).size < read.length, [read]);
  const seeds = hasSeeds && lines === "seeds";
  // Scores of different environments have nothing in common, so each environment has its own axis.
  const charts = useMemo(
    () =>
      measure === undefined
        ? []
        : [...byEnvironment(read)].map(([environment, own]) => ({
            environment,
            runs: own.length,
            model: modelOf(own, measure, axis, seeds),
          })),
    [read, measure, axis, seeds],
  );
  return (
    <Panel
      title="Curves"
      head={
        <>
          <PlotSmoothing />
          <Select
            className="curves__measure"
            aria-label="Measure"
            value={measure?.name ?? ""}
            options={measures.map(({ name }) => name)}
            onChange={setChosen}
          />
          {hasSeeds && <Segments label="Lines" options={LINES} value={lines} onChange={setLines} />}
          <Segments label="Horizontal axis" options={AXES} value={axis} onChange={setAxis} />
          {head}
        </>
      }
    >
      {charts.length === 0 && (
        <p className="empty">Curves appear once one of these runs completes a generation.</p>
      )}
      {charts.map(({ environment, runs: count, model }) => (
        <Plot
          key={environment}
          title={charts.length > 1 ? `${measure?.name ?? ""} in ${environment}` : (measure?.name ?? "")}
          summary={`${seeds ? "Means over the seeds of each configuration, with 95 % intervals: " : ""}${measure?.name ?? ""} of ${formatThings(count, "run")} in ${environment} over ${AXES[axis].toLowerCase()}. The metrics table lists the values.`}
          model={model}
          legend={model.lines
            .filter(({ width }) => width > 0)
            .map(({ label, group, colour }) => ({ label, group: group ?? label, mark: "line", colour }))}
        />
      ))}
    </Panel>
  );
}
