import type { PointerEvent } from "react";
import { create } from "zustand";
import { hasMoved } from "../lib/hasMoved.ts";

interface Highlight {
  /** Identity of the member under the pointer, in whatever view; null for none. */
  readonly member: number | null;
}

/** The member that is looked at, shared by charts, tables, tiles and trees. */
export const useHighlight = create<Highlight>(() => ({ member: null }));

export const highlightMember = (member: number | null): void => useHighlight.setState({ member });

/** Handlers that highlight a member while a pointer that moves is on an element; one that rests there does not. */
export const highlightHandlers = (member: number) => ({
  onPointerMove: (event: PointerEvent) => {
    if (hasMoved(event)) highlightMember(member);
  },
  onPointerLeave: () => highlightMember(null),
});
