import { useEffect, useId, useMemo, useRef, useState } from "react";
import { onThemeChange } from "../../lib/drawing.ts";
import { useElementWidth, useOnScreen } from "../../lib/useElement.ts";
import { type PlotModel, readoutOf } from "./PlotModel.ts";
import { plotTheme } from "./plotTheme.ts";
import type { UplotChart } from "./UplotChart.ts";
import "./Plot.css";

interface Props {
  readonly title: string;
  /** A description of the chart for screen readers. */
  readonly summary: string;
  readonly model: PlotModel;
  /** Height in pixels. Defaults to 160. */
  readonly height?: number;
}

/**
 * A small chart with its title and the values under the pointer. Its library is loaded when the first chart
 * is shown.
 */
export function Plot({ title, summary, model, height = 160 }: Props) {
  const { width, ref } = useElementWidth();
  const target = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const chart = useRef<UplotChart | null>(null);
  const latest = useRef({ model, size: { width, height } });
  const heading = useId();

  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    let open = true;
    let theme = plotTheme(element);
    const draw = (): void => {
      const { model: shown, size } = latest.current;
      if (size.width > 0) chart.current?.show(shown, theme, size);
    };
    const forgetTheme = onThemeChange(() => {
      theme = plotTheme(element);
      draw();
    });
    const load = async (): Promise<void> => {
      const { UplotChart: Chart } = await import("./UplotChart.ts");
      if (!open) return;
      chart.current = new Chart(element, (at) => {
        if (readout.current !== null) readout.current.textContent = readoutOf(latest.current.model, at);
      });
      draw();
    };
    redraw.set(element, draw);
    load().catch((error: unknown) => {
      // Reported as an uncaught error, outside of the promise.
      queueMicrotask(() => {
        throw error;
      });
    });
    return () => {
      open = false;
      redraw.delete(element);
      forgetTheme();
      chart.current?.close();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    latest.current = { model, size: { width, height } };
    const element = target.current;
    if (element !== null) redraw.get(element)?.();
  }, [model, width, height]);

  return (
    <figure className="plot" aria-labelledby={heading}>
      <figcaption className="plot__head">
        <strong id={heading}>{title}</strong>
        <p className="clip plot__readout" ref={readout} />
      </figcaption>
      <p className="visually-hidden">{summary}</p>
      <div ref={ref}>
        <div aria-hidden="true" ref={target} style={{ height: `${height}px` }} />
      </div>
    </figure>
  );
}

/** Functions that redraw each shown chart. */
const redraw = new WeakMap<HTMLElement, () => void>();

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
