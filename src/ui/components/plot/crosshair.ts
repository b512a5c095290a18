import { create } from "zustand";
import { nearestPosition, type PlotModel } from "./PlotModel.ts";

interface Crosshair {
  /** The horizontal axis that it lies on; null for none. */
  readonly axis: PlotModel["axis"] | null;
  /** A position rather than a pixel, because axes grow and zoom. */
  readonly x: number;
  /** Slug of the chart that the user points at. */
  readonly chart: string;
}

const NOWHERE: Crosshair = { axis: null, x: Number.NaN, chart: "" };

const useCrosshair = create<Crosshair>(() => NOWHERE);

/** Moves the crosshair of all charts with an axis. */
export const pointAt = (axis: PlotModel["axis"], x: number, chart: string): void =>
  useCrosshair.setState({ axis, x, chart });

/** Removes the crosshair. */
export const pointNowhere = (): void => useCrosshair.setState(NOWHERE);

/** The index of the position under the crosshair in a chart; null for none. */
export function usePointed(model: PlotModel): number | null {
  const x = useCrosshair((state) => (state.axis === model.axis ? state.x : Number.NaN));
  return Number.isNaN(x) ? null : nearestPosition(model, x);
}

/** Whether the user points at this chart itself. */
export const useIsPointed = (chart: string): boolean => useCrosshair((state) => state.chart === chart);
