import { type RefObject, useEffect, useRef } from "react";

const placeOf = (target: EventTarget | null): number | null => {
  const panel = target instanceof Element ? target.closest("[data-panel]") : null;
  return panel === null ? null : Number(panel.getAttribute("data-panel"));
};

/**
 * Lets panels be dragged onto each other by their grips, within an element. Panels name their positions in `data-panel`.
 * @param onMove called with the position of the dragged panel, and of the one on which it was dropped
 */
export function usePanelDrag(
  host: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
): void {
  /** Outlives the listeners, which change while a run trains. */
  const dragged = useRef<number | null>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    element.addEventListener(
      "dragstart",
      (event) => {
        // Links in a panel can be dragged too.
        const isGrip = event.target instanceof Element && event.target.matches(".workspace__grip");
        dragged.current = isGrip ? placeOf(event.target) : null;
        if (!isGrip) return;
        // Firefox drags only what has data.
        event.dataTransfer?.setData("text/plain", "panel");
      },
      { signal },
    );
    element.addEventListener(
      "dragover",
      (event) => {
        // Without this, the browser does not let it drop.
        if (dragged.current !== null && placeOf(event.target) !== null) event.preventDefault();
      },
      { signal },
    );
    element.addEventListener(
      "drop",
      (event) => {
        const [from, to] = [dragged.current, placeOf(event.target)];
        if (from === null || to === null) return;
        event.preventDefault();
        if (from !== to) onMove(from, to);
      },
      { signal },
    );
    element.addEventListener(
      "dragend",
      () => {
        dragged.current = null;
      },
      { signal },
    );
    return () => ending.abort();
  }, [host, onMove]);
}
