import { useCallback, useState } from "react";

/**
 * A value as it was when its element was last seen: it stands still while the element is scrolled out of view, and
 * catches up with one update when it comes back. Give `ref` to the element.
 */
export function useWhileOnScreen<T>(value: T): {
  value: T;
  ref: (element: HTMLElement | null) => (() => void) | undefined;
} {
  // Until the browser has told, so that the first drawing does not wait for it.
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
