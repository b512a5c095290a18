import { useMemo } from "react";
import { create } from "zustand";
import { replaceRoute, useRoute } from "../../routes/navigation.ts";
import { formatPlotViews, type PlotViews, parsePlotViews } from "../../routes/plotViews.ts";
import { parseRoute } from "../../routes/route.ts";

/** Milliseconds after the last change before the address follows: browsers limit how often it may change. */
const SETTLED = 150;

/** A change that the address does not have yet. */
interface Draft {
  readonly text: string | null;
  /** The chart that already shows it; null for all. The others follow with the address. */
  readonly chart: string | null;
}

const NO_DRAFT: Draft = { text: null, chart: null };

const useDraft = create<Draft>(() => NO_DRAFT);

let timer: ReturnType<typeof setTimeout> | undefined;

const textNow = (): string => {
  const route = parseRoute(window.location.hash);
  return useDraft.getState().text ?? ("plot" in route ? route.plot : "");
};

function settle(): void {
  const { text } = useDraft.getState();
  const route = parseRoute(window.location.hash);
  // Where the address has no place for it, the change lasts as long as the page.
  if (text === null || !("plot" in route)) {
    useDraft.setState({ chart: null });
    return;
  }
  if (route.plot !== text) replaceRoute({ ...route, plot: text });
  useDraft.setState(NO_DRAFT);
}

/**
 * Changes the view state of the charts; the address follows a moment later.
 * @param chart Slug of the only chart that shows the change at once, as during a gesture; null for all.
 */
export function changePlotViews(change: (views: PlotViews) => PlotViews, chart: string | null = null): void {
  useDraft.setState({ text: formatPlotViews(change(parsePlotViews(textNow()))), chart });
  clearTimeout(timer);
  timer = setTimeout(settle, SETTLED);
}

/** The view state of the charts of the page. @param chart slug of the chart that shows it */
export function usePlotViews(chart = ""): PlotViews {
  const route = useRoute();
  const draft = useDraft((state) => (state.chart === null || state.chart === chart ? state.text : null));
  const text = draft ?? ("plot" in route ? route.plot : "");
  return useMemo(() => parsePlotViews(text), [text]);
}
