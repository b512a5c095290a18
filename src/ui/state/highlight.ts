import type { PointerEvent } from "react";
import { create } from "zustand";
import { hasMoved } from "../lib/hasMoved.ts";

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
