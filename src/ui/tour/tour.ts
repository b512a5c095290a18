/** The tour of a run's page: whether it runs, and whether it was offered. */
import { create } from "zustand";
import { readStored, writeStored } from "../lib/stored.ts";

const KEY = "rlkit.tour";

interface TourState {
  /** Position of the step that is shown; null while there is no tour. */
  readonly step: number | null;
  /** Whether it may still be offered. */
  readonly offered: boolean;
}

export const useTour = create<TourState>(() => ({ step: null, offered: readStored(KEY) === null }));

/** Remembers in this browser that there is nothing to offer any more. */
export function declineTour(): void {
  writeStored(KEY, "seen");
  useTour.setState({ offered: false });
}

export function startTour(): void {
  declineTour();
  useTour.setState({ step: 0 });
}

export const showTourStep = (step: number): void => useTour.setState({ step });

export const endTour = (): void => useTour.setState({ step: null });
