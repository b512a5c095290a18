import { type ReactNode, useId, useMemo, useRef, useState } from "react";
import { useElementSize, useOnScreen } from "../../lib/useElement.ts";
import { plotSlug } from "../../routes/plotViews.ts";
import { PlotCanvas } from "./PlotCanvas.tsx";
import { PlotHandle } from "./PlotHandle.tsx";
import { PlotLegend } from "./PlotLegend.tsx";
import type { PlotEntry, PlotModel } from "./PlotModel.ts";
import { PlotOverlay } from "./PlotOverlay.tsx";
import { PlotSurface } from "./PlotSurface.tsx";
import { PlotReadout, PlotTip } from "./PlotTip.tsx";
import { PlotTools } from "./PlotTools.tsx";
import { plotContent, plotScene } from "./plotScene.ts";
import { usePlotActions } from "./usePlotActions.ts";
import type { PlotBox } from "./usePlotPointer.ts";
import { usePlotViews } from "./usePlotViews.ts";
import "./Plot.css";

interface Props {
  readonly title: string;
  /** A description of the chart for screen readers. */
  readonly summary: string;
  readonly model: PlotModel;
  /** Height in pixels. By default, that of the page's charts. */
  readonly height?: number;
  /** Whether the heading is for screen readers only, as where a panel's heading says the same. */
  readonly untitled?: boolean;
  readonly legend?: readonly PlotEntry[];
  /** Content beside the heading. */
  readonly note?: ReactNode;
  /** Called with a position that the user chooses by a click. */
  readonly onChoose?: (position: number) => void;
}

/**
 * A chart in the frame that all charts share: zoom, pan, crosshair, axes, smoothing, legend, full screen and downloads.
 * What the user sets is in the address.
 */
export function Plot({ title, summary, model, height, untitled = false, legend, note, onChoose }: Props) {
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  const clip = useId();
  const { width, height: high, ref } = useElementSize();
  const [box, setBox] = useState<PlotBox | null>(null);
  const chart = plotSlug(title);
  const views = usePlotViews(chart);
  const actions = usePlotActions(model, chart, views, figure);
  const { smoothing } = views;
  const hidden = views.hidden.join("_");
  const content = useMemo(
    () => plotContent(model, { smoothing, hidden: hidden.split("_") }),
    [model, smoothing, hidden],
  );
  const scene = useMemo(
    () => (width > 0 && high > 0 ? plotScene(model, content, views, { width, height: high, chart }) : null),
    [model, content, views, width, high, chart],
  );
  return (
    <figure
      className={["plot shrinks", untitled && "plot--untitled", actions.isFull && "plot--full fill"]
        .filter(Boolean)
        .join(" ")}
      aria-labelledby={heading}
      ref={figure}
    >
      <figcaption className="plot__head row">
        <strong id={heading} className={untitled && !actions.isFull ? "visually-hidden" : undefined}>
          {title}
        </strong>
        {note}
        <PlotReadout model={model} chart={chart} brief={untitled && !actions.isFull} />
        <PlotTools
          title={title}
          model={model}
          scene={scene}
          actions={actions}
          host={figure}
          legend={legend ?? []}
        />
      </figcaption>
      <p className="visually-hidden">{summary}</p>
      <div className="plot__stage relative" ref={ref} style={height === undefined ? undefined : { height }}>
        {scene !== null && (
          <>
            {content.dots.length > 0 && <PlotCanvas scene={scene} />}
            <PlotSurface scene={scene} />
            <PlotOverlay scene={scene} box={box} clip={clip} />
            <PlotHandle
              scene={scene}
              title={title}
              chart={chart}
              actions={actions}
              onBox={setBox}
              onChoose={onChoose}
            />
            <PlotTip scene={scene} chart={chart} />
          </>
        )}
      </div>
      {legend !== undefined && <PlotLegend entries={legend} />}
    </figure>
  );
}

interface LazyPlotProps {
  readonly title: string;
  readonly summary: string;
  /** Builds the chart's model; called only while the chart is near the viewport. */
  readonly model: () => PlotModel;
}

/** A chart that is built when it comes near the viewport, and does not update while far from it. */
export function LazyPlot({ title, summary, model }: LazyPlotProps) {
  const { onScreen: near, ref } = useOnScreen(false, "200px");
  const [seen, setSeen] = useState<{ readonly from: () => PlotModel; readonly model: PlotModel } | null>(
    null,
  );
  const wanted = useMemo(
    () => (near && seen?.from !== model ? { from: model, model: model() } : seen),
    [near, seen, model],
  );
  if (wanted !== seen) setSeen(wanted);
  return (
    <div ref={ref} className="plots__place">
      {wanted !== null && <Plot title={title} summary={summary} model={wanted.model} />}
    </div>
  );
}
