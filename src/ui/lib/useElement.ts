import { useCallback, useState } from "react";

/** Size of an element in CSS pixels, kept up to date; 0 before it is known. Pass `ref` to the element. */
export function useElementSize(): {
  width: number;
  height: number;
  ref: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ...size, ref };
}

/** Width of an element in CSS pixels, kept up to date; 0 before it is known. Pass `ref` to the element. */
export function useElementWidth(): {
  width: number;
  ref: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { width, ref };
}

/**
 * A value that freezes while its element is scrolled out of view, and catches up with one update when the
 * element becomes visible again. Pass `ref` to the element.
 */
export function useWhileOnScreen<T>(value: T): {
  value: T;
  ref: (element: HTMLElement | null) => (() => void) | undefined;
} {
  // True until the observer reports, so that the first render does not wait for it.
  const [onScreen, setOnScreen] = useState(true);
  const [seen, setSeen] = useState(value);
  if (onScreen && !Object.is(seen, value)) setSeen(value);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      // Only the latest of several changes counts.
      setOnScreen(entries.at(-1)?.isIntersecting ?? true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { value: onScreen ? value : seen, ref };
}
