import { useCallback, useState } from "react";

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
