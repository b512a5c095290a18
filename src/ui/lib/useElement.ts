import { useCallback, useState } from "react";

type WatchedRef = (element: HTMLElement | null) => (() => void) | undefined;

type Watcher = Pick<ResizeObserver | IntersectionObserver, "observe" | "disconnect">;

/** A ref whose element an observer watches while the component shows it. @param watch must not change */
function useWatched(watch: (element: HTMLElement) => Watcher): WatchedRef {
  const [first] = useState(() => watch);
  return useCallback(
    (element) => {
      if (element === null) return undefined;
      const watcher = first(element);
      watcher.observe(element);
      return () => watcher.disconnect();
    },
    [first],
  );
}

/** A ref that measures an element before it is painted, and again whenever its size changes. */
function useMeasured(measure: (element: HTMLElement) => void): WatchedRef {
  return useWatched((element) => {
    measure(element);
    return new ResizeObserver(() => measure(element));
  });
}

/** Size of an element in CSS pixels, kept up to date; 0 before it is known. Pass `ref` to the element. */
export function useElementSize(): { width: number; height: number; ref: WatchedRef } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const ref = useMeasured((element) => setSize({ width: element.clientWidth, height: element.clientHeight }));
  return { ...size, ref };
}

/** Width of an element in CSS pixels, kept up to date; 0 before it is known. Pass `ref` to the element. */
export function useElementWidth(): { width: number; ref: WatchedRef } {
  const [width, setWidth] = useState(0);
  const ref = useMeasured((element) => setWidth(element.clientWidth));
  return { width, ref };
}

/**
 * Whether an element is in view, or at most `margin` away from it. Pass `ref` to the element.
 * @param first The value before it is known.
 */
export function useOnScreen(first: boolean, margin = "0px"): { onScreen: boolean; ref: WatchedRef } {
  const [onScreen, setOnScreen] = useState(first);
  const ref = useWatched(
    () =>
      // Only the latest of several changes counts.
      new IntersectionObserver((entries) => setOnScreen(entries.at(-1)?.isIntersecting ?? true), {
        rootMargin: margin,
      }),
  );
  return { onScreen, ref };
}

/**
 * A value that freezes while its element is scrolled out of view, and catches up with one update when the
 * element becomes visible again. Pass `ref` to the element.
 */
export function useWhileOnScreen<T>(value: T): { value: T; ref: WatchedRef } {
  // The first render does not wait for the observer.
  const { onScreen, ref } = useOnScreen(true);
  const [seen, setSeen] = useState(value);
  if (onScreen && !Object.is(seen, value)) setSeen(value);
  return { value: onScreen ? value : seen, ref };
}
