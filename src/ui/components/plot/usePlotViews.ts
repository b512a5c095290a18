import { useMemo } from "react";
import { create } from "zustand";
import { replaceRoute, useRoute } from "../../routes/navigation.ts";
import { formatPlotViews, type PlotViews, parsePlotViews } from "../../routes/plotViews.ts";
import { pageKey, parseRoute, type Route } from "../../routes/route.ts";

/** Milliseconds after the last change before the address follows: browsers limit how often it may change. */
const SETTLED = 150;

/** A change that the address does not have yet. */
interface Draft {
  readonly text: string | null;
  /** The chart that already shows it; null for all. The others follow with the address. */
  readonly chart: string | null;
  /** The page, and the view state in its address, that were changed. Once the address has others, the change is void. */
  readonly of: string;
}

const NO_DRAFT: Draft = { text: null, chart: null, of: "" };

const useDraft = create<Draft>(() => NO_DRAFT);

let timer: ReturnType<typeof setTimeout> | undefined;

const plotOf = (route: Route): string => ("plot" in route ? route.plot : "");

const placeOf = (route: Route): string => `${pageKey(route)} ${plotOf(route)}`;

const textNow = (route: Route): string => {
  const { text, of } = useDraft.getState();
  return of === placeOf(route) && text !== null ? text : plotOf(route);
};

function settle(): void {
  const { text, of } = useDraft.getState();
  const route = parseRoute(window.location.hash);
  if (of !== placeOf(route)) {
    useDraft.setState(NO_DRAFT);
    return;
  }
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
  const route = parseRoute(window.location.hash);
  const text = formatPlotViews(change(parsePlotViews(textNow(route))));
  useDraft.setState({ text, chart, of: placeOf(route) });
  clearTimeout(timer);
  timer = setTimeout(settle, SETTLED);
}

/** The view state of the charts of the page. @param chart slug of the chart that shows it */
export function usePlotViews(chart = ""): PlotViews {
  const route = useRoute();
  const place = placeOf(route);
  const draft = useDraft((state) =>
    state.of === place && (state.chart === null || state.chart === chart) ? state.text : null,
  );
  const text = draft ?? plotOf(route);
  return useMemo(() => parsePlotViews(text), [text]);
}
