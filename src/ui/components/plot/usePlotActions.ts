import { type RefObject, useEffect, useMemo, useState } from "react";
import type { PlotRange, PlotViews } from "../../routes/plotViews.ts";
import type { PlotModel } from "./PlotModel.ts";
import { isLog, isLogX } from "./plotScene.ts";
import { changePlotViews } from "./usePlotViews.ts";

/** While it is "moving", only the chart itself shows the change. */
type Pace = "moving" | "settled";

/** What a user can do with a chart. */
export interface PlotActions {
  readonly showX: (range: PlotRange, pace?: Pace) => void;
  readonly showY: (range: PlotRange, pace?: Pace) => void;
  /** Shows everything again. */
  readonly fit: () => void;
  readonly isZoomed: boolean;
  readonly isZoomedY: boolean;
  readonly toggleLog: () => void;
  readonly isLog: boolean;
  readonly toggleLogX: () => void;
  readonly isLogX: boolean;
  readonly toggleFull: () => void;
  readonly isFull: boolean;
  /** Whether a drag zooms the values too. */
  readonly both: boolean;
  readonly toggleBoth: () => void;
}

const without = <T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** Whether an element fills the screen or, where the browser cannot do that, its window. */
function useFullScreen(element: RefObject<HTMLElement | null>): readonly [boolean, () => void] {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const hear = (): void => setFull(document.fullscreenElement === element.current);
    document.addEventListener("fullscreenchange", hear);
    return () => document.removeEventListener("fullscreenchange", hear);
  }, [element]);
  const toggle = (): void => {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    else if (isFull) setFull(false);
    else if (element.current !== null && document.fullscreenEnabled)
      element.current.requestFullscreen().catch(() => setFull(true));
    else setFull(true);
  };
  return [isFull, toggle];
}

/** The actions of a chart. @param chart its slug @param element fills the screen on request */
export function usePlotActions(
  model: PlotModel,
  chart: string,
  views: PlotViews,
  element: RefObject<HTMLElement | null>,
): PlotActions {
  const [both, setBoth] = useState(false);
  const [isFull, toggleFull] = useFullScreen(element);
  const logs = useMemo(
    () => [isLog(model, chart, views), isLogX(model, views)] as const,
    [model, chart, views],
  );
  const { axis } = model;
  return {
    showX: (range, pace) =>
      changePlotViews(
        (now) => ({ ...now, x: { ...now.x, [axis]: range } }),
        pace === "moving" ? chart : null,
      ),
    showY: (range, pace) =>
      changePlotViews(
        (now) => ({ ...now, y: { ...now.y, [chart]: range } }),
        pace === "moving" ? chart : null,
      ),
    fit: () => changePlotViews((now) => ({ ...now, x: without(now.x, axis), y: without(now.y, chart) })),
    isZoomed: views.x[axis] !== undefined || views.y[chart] !== undefined,
    isZoomedY: views.y[chart] !== undefined,
    toggleLog: () =>
      changePlotViews((now) => {
        const next = !isLog(model, chart, now);
        return {
          ...now,
          log: next === (model.log ?? false) ? without(now.log, chart) : { ...now.log, [chart]: next },
        };
      }),
    isLog: logs[0],
    toggleLogX: () =>
      changePlotViews((now) => ({
        ...now,
        logX: now.logX.includes(axis) ? now.logX.filter((one) => one !== axis) : [...now.logX, axis],
      })),
    isLogX: logs[1],
    toggleFull,
    isFull,
    both,
    toggleBoth: () => setBoth(!both),
  };
}
