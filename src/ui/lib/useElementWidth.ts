import { useCallback, useState } from "react";

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
