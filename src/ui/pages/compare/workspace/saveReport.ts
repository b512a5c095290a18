import { plotTheme } from "../../../components/plot/plotTheme.ts";
import { saveText } from "../../../lib/files.ts";
import { parsePlotViews } from "../../../routes/plotViews.ts";
import { parseRoute } from "../../../routes/route.ts";
import type { PanelSpec } from "./panels.ts";
import { type ReportRuns, reportOf } from "./report.ts";

/** Saves panels as they are shown through the browser's downloads. @param element has their colours */
export function saveReport(
  panels: readonly PanelSpec[],
  runs: ReportRuns,
  element: HTMLElement | null,
): void {
  const route = parseRoute(window.location.hash);
  const moment = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" }).format(Date.now());
  const style = {
    theme: plotTheme(element ?? document.body),
    views: parsePlotViews("plot" in route ? route.plot : ""),
    moment,
  };
  saveText("report.html", "text/html", reportOf(panels, runs, style));
}
