import { create } from "zustand";

interface Highlight {
  /** Slot under the pointer, in the chart's legend or the table; null for none. */
  readonly slot: number | null;
}

/** The member that is looked at, shared by chart and table. */
export const useHighlight = create<Highlight>(() => ({ slot: null }));

export const highlightSlot = (slot: number | null): void => useHighlight.setState({ slot });

/** Handlers that highlight a slot while the pointer is on an element. */
export const highlightHandlers = (slot: number) => ({
  onPointerEnter: () => highlightSlot(slot),
  onPointerLeave: () => highlightSlot(null),
});
