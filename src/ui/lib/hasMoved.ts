import type { PointerEvent } from "react";

let last: readonly [number, number] | null = null;

/**
 * Whether a pointer is elsewhere than it was: browsers also tell of one that rests while the page changes under it,
 * such as where a button was pressed that opened the page.
 */
export function hasMoved({ clientX, clientY, movementX, movementY }: PointerEvent): boolean {
  const before = last;
  last = [clientX, clientY];
  if (before === null) return movementX !== 0 || movementY !== 0;
  return before[0] !== clientX || before[1] !== clientY;
}
