import { useMemo, useSyncExternalStore } from "react";
import { formatRoute, pageKey, parseRoute, type Route } from "./route.ts";

const listeners = new Set<() => void>();

/** The shown page, and whether a newly opened page has yet to show its heading. */
let page = "";
let headingAwaited = false;

function subscribe(listener: () => void): () => void {
  const hear = (): void => {
    notePage();
    listener();
  };
  if (listeners.size === 0) page = pageKey(parseRoute(currentHash()));
  listeners.add(listener);
  window.addEventListener("hashchange", hear);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("hashchange", hear);
  };
}

function notePage(): void {
  const next = pageKey(parseRoute(currentHash()));
  headingAwaited ||= next !== page;
  page = next;
}

const currentHash = (): string => window.location.hash;

/** The current route, kept up to date with the URL. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, currentHash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Whether a newly opened page awaits its heading. Returns true once per opened page. */
export function isHeadingAwaited(): boolean {
  const awaited = headingAwaited;
  headingAwaited = false;
  return awaited;
}

/** Opens another page, with an entry in the browser's history. */
export function navigate(route: Route): void {
  window.location.hash = formatRoute(route);
}

/**
 * For asynchronous work: returns a function that opens another page, unless the user has left this one in the
 * meantime.
 */
export function navigateLater(): (route: Route) => void {
  const from = currentHash();
  return (route) => {
    if (currentHash() === from) navigate(route);
  };
}

/** Changes the view state of the open page, without an entry in the browser's history. */
export function replaceRoute(route: Route): void {
  window.history.replaceState(window.history.state, "", formatRoute(route));
  // replaceState fires no hashchange.
  for (const listener of listeners) listener();
}
