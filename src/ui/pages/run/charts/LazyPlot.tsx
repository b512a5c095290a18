import { useCallback, useMemo, useState } from "react";
import { Plot } from "./Plot.tsx";
import type { PlotModel } from "./PlotModel.ts";

interface Props {
  readonly title: string;
  readonly summary: string;
  /** Builds the chart's model; called only while the chart is near the viewport. */
  readonly model: () => PlotModel;
}

/** A chart that is built when it comes near the viewport, and does not update while far from it. */
export function LazyPlot({ title, summary, model }: Props) {
  const [near, setNear] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: "200px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
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
