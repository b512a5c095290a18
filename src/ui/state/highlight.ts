import type { PointerEvent } from "react";
import { create } from "zustand";

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

interface Highlight {
  /** Index of the member under the pointer in any view; null for none. */
  readonly member: number | null;
}

/** The highlighted member, shared by charts, tables, tiles and trees. */
export const useHighlight = create<Highlight>(() => ({ member: null }));

export const highlightMember = (member: number | null): void => useHighlight.setState({ member });

/** Handlers that highlight a member when the pointer moves over an element; a resting pointer does not. */
export const highlightHandlers = (member: number) => ({
  onPointerMove: (event: PointerEvent) => {
    if (hasMoved(event)) highlightMember(member);
  },
  onPointerLeave: () => highlightMember(null),
});
