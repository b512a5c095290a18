import { Suspense, useMemo } from "react";
import { Segments } from "../../components/Segments.tsx";
import { formatScore } from "../../lib/format.ts";
import { useWhileOnScreen } from "../../lib/useWhileOnScreen.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import type { ChartAxis, RunRoute } from "../../routes/route.ts";
import { chartRows } from "../../series/chartRows.ts";
import { MAX_LINES } from "../../series/FitnessSeries.ts";
import type { RunSession } from "../../state/RunSession.ts";
import type { RunView } from "../../state/RunView.ts";
import { FitnessLegend } from "./FitnessLegend.tsx";
import { FitnessTable } from "./FitnessTable.tsx";
import { FitnessChart } from "./lazyParts.ts";
import { targetScore } from "./targetScore.ts";
import "./FitnessPanel.css";

const AXES: Readonly<Record<ChartAxis, string>> = { steps: "Steps", generation: "Generation", time: "Time" };
const VIEWS = { chart: "Chart", table: "Table" } as const;

interface Props {
  readonly route: RunRoute;
  readonly session: RunSession;
  readonly view: RunView;
}

/** The population's fitness as a chart, or in numbers. */
export function FitnessPanel({ route, session, view }: Props) {
  const { axis } = route;
  const { series } = session;
  const { manifest } = view;
  const { value: version, ref } = useWhileOnScreen(view.version);
  // The series grows in place; its version tells when the rows are out of date.
  const rows = useMemo(
    () => chartRows(series, axis, { selected: route.member }),
    // oxlint-disable-next-line react/exhaustive-deps -- version stands for the contents of series.
    [series, axis, version, route.member],
  );
  const target = targetScore(manifest);
  const slots = series.slots.length;
  const agents = route.member !== null && route.member < slots ? series.agents.agents : [];
  const last = series.evaluated.at(series.evaluated.length - 1);
  return (
    <section className="panel fitness" aria-label="Fitness" ref={ref}>
      <div className="panel__head">
        <h2>Fitness</h2>
        <Segments
          label="Horizontal axis"
          options={AXES}
          value={axis}
          onChange={(next) => replaceRoute({ ...route, axis: next })}
        />
        <Segments
          label="View"
          options={VIEWS}
          value={route.view}
          onChange={(next) => replaceRoute({ ...route, view: next })}
        />
      </div>
      {rows.length === 0 && (
        <p className="empty fitness__empty">
          The first point appears when every agent has trained and been evaluated once.
        </p>
      )}
      {rows.length > 0 && route.view === "table" && <FitnessTable series={series} version={version} />}
      {rows.length > 0 && route.view === "chart" && (
        <>
          <p className="visually-hidden">
            {slots > MAX_LINES
              ? `Chart of how the fitness of ${slots} agents is spread.`
              : `Line chart, one line for each of ${slots} agents.`}{" "}
            After generation {series.axis("generation").at(last)} the population's mean is{" "}
            {formatScore(series.mean.at(last))}, the best fitness so far {formatScore(series.best.at(last))}
            {target !== null && `, the target ${formatScore(target)}`}. The view Table has all numbers.
          </p>
          <Suspense fallback={<div className="fitness__plot" />}>
            <FitnessChart
              rows={rows}
              slots={slots}
              agents={agents.length}
              selected={route.member}
              axis={axis}
              target={target}
            />
          </Suspense>
          <FitnessLegend slots={slots} agents={agents} selected={route.member} target={target !== null} />
        </>
      )}
    </section>
  );
}
