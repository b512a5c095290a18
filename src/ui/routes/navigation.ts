import { useMemo, useSyncExternalStore } from "react";
import { formatRoute, pageKey, parseRoute, type Route } from "./route.ts";

const listeners = new Set<() => void>();

/** The page that is shown, and whether another was asked for whose heading is not there yet. */
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

/** The route in the address, kept up to date. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, currentHash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Whether a heading that appears is that of a page somebody went to; once for each such page. */
export function isHeadingAwaited(): boolean {
  const awaited = headingAwaited;
  headingAwaited = false;
  return awaited;
}

/** Goes to another page; the browser's Back comes back. */
export function navigate(route: Route): void {
  window.location.hash = formatRoute(route);
}

/** For work that ends later: what goes to another page then, unless the reader has left this one by then. */
export function navigateLater(): (route: Route) => void {
  const from = currentHash();
  return (route) => {
    if (currentHash() === from) navigate(route);
  };
}

/** Changes the view state of the page that is open, without an entry in the browser's history. */
export function replaceRoute(route: Route): void {
  window.history.replaceState(window.history.state, "", formatRoute(route));
  // replaceState fires no hashchange.
  for (const listener of listeners) listener();
}
