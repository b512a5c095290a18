import { type RefObject, useEffect, useState } from "react";

/** Whether something is dragged over an element. Calls `onDrop` with the items dropped on it. */
export function useFolderDrop(
  target: RefObject<HTMLElement | null>,
  onDrop: (items: DataTransferItemList) => void,
): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent): void => {
      // Without this, the browser opens the dropped item.
      event.preventDefault();
      setIsOver(event.type === "dragover");
    };
    element.addEventListener("dragover", over, { signal });
    element.addEventListener("dragleave", over, { signal });
    element.addEventListener(
      "drop",
      (event) => {
        over(event);
        if (event.dataTransfer !== null) onDrop(event.dataTransfer.items);
      },
      { signal },
    );
    return () => ending.abort();
  }, [target, onDrop]);
  return isOver;
}
