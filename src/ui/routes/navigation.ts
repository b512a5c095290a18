import { useMemo, useSyncExternalStore } from "react";
import { formatRoute, parseRoute, type Route } from "./route.ts";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("hashchange", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("hashchange", listener);
  };
}

const currentHash = (): string => window.location.hash;

/** The route in the address, kept up to date. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, currentHash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Goes to another page; the browser's Back comes back. */
export function navigate(route: Route): void {
  window.location.hash = formatRoute(route);
}

/** Changes the view state of the page that is open, without an entry in the browser's history. */
export function replaceRoute(route: Route): void {
  window.history.replaceState(window.history.state, "", formatRoute(route));
  // replaceState fires no hashchange.
  for (const listener of listeners) listener();
}
