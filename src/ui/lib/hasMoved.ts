import type { PointerEvent } from "react";

let last: readonly [number, number] | null = null;

/**
 * Whether the pointer has moved since the last call. Browsers also report a resting pointer when the page
 * changes under it, for example after a press on a button that opened the page.
 */
export function hasMoved({ clientX, clientY, movementX, movementY }: PointerEvent): boolean {
  const before = last;
  last = [clientX, clientY];
  if (before === null) return movementX !== 0 || movementY !== 0;
  return before[0] !== clientX || before[1] !== clientY;
}
