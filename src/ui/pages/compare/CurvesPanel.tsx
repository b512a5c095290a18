import { useMemo, useState } from "react";
import { Segments } from "../../components/Segments.tsx";
import { formatCount, formatDuration, formatHyperparameter, formatShort } from "../../lib/format.ts";
import type { ChartAxis } from "../../routes/route.ts";
import { Plot } from "../run/charts/Plot.tsx";
import type { PlotModel } from "../run/charts/PlotModel.ts";
import { measuresOf, positions } from "./measures.ts";
import { overlay } from "./overlay.ts";
import { runColour } from "./runColour.ts";
import type { ComparedRun } from "./useComparedRuns.ts";

const AXES: Readonly<Record<ChartAxis, string>> = { steps: "Steps", generation: "Generation", time: "Time" };
const FORMATS: Readonly<Record<ChartAxis, (value: number) => string>> = {
  steps: formatShort,
  generation: formatCount,
  time: formatDuration,
};

/** One measure for all runs, with a line per run. */
export function CurvesPanel({ runs }: { readonly runs: readonly ComparedRun[] }) {
  const [axis, setAxis] = useState<ChartAxis>("steps");
  const [chosen, setChosen] = useState<string | null>(null);
  const read = useMemo(
    () => runs.filter(({ columns }) => columns !== null && columns.generations > 0),
    [runs],
  );
  const measures = useMemo(() => measuresOf(read.flatMap(({ columns }) => columns ?? [])), [read]);
  const measure = measures.find(({ name }) => name === chosen) ?? measures[0];
  const model = useMemo((): PlotModel | null => {
    if (measure === undefined || read.length === 0) return null;
    const all = overlay(
      read.flatMap(({ columns }) =>
        columns === null ? [] : [{ x: positions(columns, axis), y: measure.of(columns) }],
      ),
    );
    return {
      x: all.x,
      lines: read.map(({ view, place }, at) => ({
        label: view.summary?.name ?? "",
        values: all.lines[at] ?? [],
        colour: runColour(place),
        width: 2,
        read: true,
      })),
      bands: [],
      log: false,
      bounds: [],
      marks: [],
      joined: true,
      under: null,
      format: formatHyperparameter,
      formatX: FORMATS[axis],
    };
  }, [read, measure, axis]);
  return (
    <section className="panel" aria-label="Curves">
      <div className="panel__head">
        <h2>Curves</h2>
        <select
          className="field compare__measure"
          aria-label="Measure"
          value={measure?.name ?? ""}
          onChange={(event) => setChosen(event.target.value)}
        >
          {measures.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Segments label="Horizontal axis" options={AXES} value={axis} onChange={setAxis} />
      </div>
      {model === null ? (
        <p className="empty">Curves appear once one of these runs completes a generation.</p>
      ) : (
        <Plot
          title={measure?.name ?? ""}
          summary={`${measure?.name ?? ""} of ${read.length} runs over ${AXES[axis].toLowerCase()}. The metrics table lists the values.`}
          model={model}
          height={320}
        />
      )}
    </section>
  );
}
