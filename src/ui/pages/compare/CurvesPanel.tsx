import { Fragment, type ReactNode, useMemo } from "react";
import { Segments, Select } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Plot } from "../../components/plot/Plot.tsx";
import { PlotSmoothing } from "../../components/plot/PlotSmoothing.tsx";
import { formatThings } from "../../lib/format.ts";
import { AXES } from "../../series/scales.ts";
import { type CurveChoice, curvesOf } from "./curves.ts";
import type { ComparedRun } from "./OpenRuns.ts";
import "./CurvesPanel.css";

const LINES = { runs: "Runs", seeds: "Means over seeds" } as const;

interface Props {
  readonly title: string;
  readonly runs: readonly ComparedRun[];
  readonly choice: CurveChoice;
  readonly onChoose: (choice: Partial<CurveChoice>) => void;
  /** Follows the settings in the panel's head. */
  readonly head?: ReactNode;
}

/** One measure for all runs: a line per run or per configuration, and a chart per environment. */
export function CurvesPanel({ title, runs, choice, onChoose, head }: Props) {
  const { measure: wanted, axis, seeds: wantsSeeds } = choice;
  const { charts, measures, measure, hasSeeds, seeds } = useMemo(
    () => curvesOf(runs, { measure: wanted, axis, seeds: wantsSeeds }),
    [runs, wanted, axis, wantsSeeds],
  );
  return (
    <Panel
      title={title}
      head={
        <>
          <PlotSmoothing />
          <Select
            className="auto-width"
            aria-label="Measure"
            value={measure}
            options={measures}
            onChange={(next) => onChoose({ measure: next })}
          />
          {hasSeeds && (
            <Segments
              label="Lines"
              options={LINES}
              value={seeds ? "seeds" : "runs"}
              onChange={(next) => onChoose({ seeds: next === "seeds" })}
            />
          )}
          <Segments
            label="Horizontal axis"
            options={AXES}
            value={axis}
            onChange={(next) => onChoose({ axis: next })}
          />
          {head}
        </>
      }
    >
      {charts.length === 0 && (
        <p className="empty">Curves appear once one of these runs completes a generation.</p>
      )}
      {charts.map(({ title: own, environment, runs: count, model, note, legend }) => (
        <Fragment key={environment}>
          <Plot
            title={own}
            summary={`${model.valueLabel} of ${formatThings(count, "run")} in ${environment} over ${AXES[axis].toLowerCase()}. The metrics table lists the values.`}
            model={model}
            legend={legend}
          />
          {note !== "" && <p className="panel__text panel__text--small">{note}</p>}
        </Fragment>
      ))}
    </Panel>
  );
}
