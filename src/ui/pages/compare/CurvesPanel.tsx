import { useMemo, useState } from "react";
import { Segments, Select } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Plot } from "../../components/plot/Plot.tsx";
import type { PlotModel } from "../../components/plot/PlotModel.ts";
import { PlotSmoothing } from "../../components/plot/PlotSmoothing.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { formatCount, formatHyperparameter, formatThings } from "../../lib/format.ts";
import type { ChartAxis } from "../../routes/route.ts";
import { positionsOf } from "../../series/historyCells.ts";
import { AXES, formatPosition } from "../../series/scales.ts";
import { type Measure, measuresOf, overlay } from "./comparison.ts";
import { type ComparedRun } from "./useComparedRuns.ts";

/** Runs by environment, in the order of the first run of each. */
function byEnvironment(runs: readonly ComparedRun[]): ReadonlyMap<string, readonly ComparedRun[]> {
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    const environment = run.view.summary?.environment ?? "";
    groups.set(environment, [...(groups.get(environment) ?? []), run]);
  }
  return groups;
}

/** One measure of some runs on common axes. */
function modelOf(runs: readonly ComparedRun[], measure: Measure, axis: ChartAxis): PlotModel {
  const { x, lines } = overlay(
    runs.flatMap(({ columns }) =>
      columns === null ? [] : [{ x: positionsOf(columns, axis), y: measure.of(columns) }],
    ),
  );
  return {
    axis,
    axisLabel: AXES[axis].toLowerCase(),
    x,
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
    log: false,
    bounds: [],
    marks: [],
    joined: true,
    format: formatHyperparameter,
    formatX: axis === "generation" ? formatCount : formatPosition[axis],
  };
}

/** One measure for all runs: a line per run, and a chart per environment. */
export function CurvesPanel({ runs }: { readonly runs: readonly ComparedRun[] }) {
  const [axis, setAxis] = useState<ChartAxis>("steps");
  const [chosen, setChosen] = useState<string | null>(null);
  const read = useMemo(
    () => runs.filter(({ columns }) => columns !== null && columns.generations > 0),
    [runs],
  );
  const measures = useMemo(() => measuresOf(read.flatMap(({ columns }) => columns ?? [])), [read]);
  const measure = measures.find(({ name }) => name === chosen) ?? measures[0];
  // Scores of different environments have nothing in common, so each environment has its own axis.
  const charts = useMemo(
    () =>
      measure === undefined
        ? []
        : [...byEnvironment(read)].map(([environment, own]) => ({
            environment,
            runs: own.length,
            model: modelOf(own, measure, axis),
          })),
    [read, measure, axis],
  );
  return (
    <Panel
      title="Curves"
      head={
        <>
          <PlotSmoothing />
          <Select
            className="compare__measure"
            aria-label="Measure"
            value={measure?.name ?? ""}
            options={measures.map(({ name }) => name)}
            onChange={setChosen}
          />
          <Segments label="Horizontal axis" options={AXES} value={axis} onChange={setAxis} />
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
          summary={`${measure?.name ?? ""} of ${formatThings(count, "run")} in ${environment} over ${AXES[axis].toLowerCase()}. The metrics table lists the values.`}
          model={model}
          legend={model.lines.map(({ label, group, colour }) => ({
            label,
            group: group ?? label,
            mark: "line",
            colour,
          }))}
        />
      ))}
    </Panel>
  );
}
