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
