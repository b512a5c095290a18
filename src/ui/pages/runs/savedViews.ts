import { formatRoute, parseRoute, type RunsRoute } from "../../routes/route.ts";

/** A saved view of the list: a name and the URL hash of its query. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const KEY = "rlkit.views";
const LIMIT = 50;

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, query }: Partial<Record<keyof SavedView, unknown>> = value;
  return typeof name === "string" && name !== "" && typeof query === "string";
}

/** The views stored in this browser, in the order in which they were saved. */
export function readViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView).slice(0, LIMIT) : [];
  } catch {
    return [];
  }
}

function write(views: readonly SavedView[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(views));
  } catch {
    // Storage may be blocked or full; the views are then lost on a reload.
  }
}

/** Saves the current view of the list under a name, replacing an earlier view of that name. */
export function saveView(name: string, route: RunsRoute): readonly SavedView[] {
  const query = formatRoute({ ...route, view: null });
  const views = [...readViews().filter((view) => view.name !== name), { name, query }].slice(-LIMIT);
  write(views);
  return views;
}

export function deleteView(name: string): readonly SavedView[] {
  const views = readViews().filter((view) => view.name !== name);
  write(views);
  return views;
}

/** The route of a saved view; null if its query is not valid. */
export function viewRoute({ name, query }: SavedView): RunsRoute | null {
  const route = parseRoute(query);
  return route.page === "runs" ? { ...route, view: name } : null;
}
