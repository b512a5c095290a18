import type { PlotColour } from "../run/charts/plotTheme.ts";

/** Runs that are compared at once: so many can be told apart by colour. */
export const LEAST_RUNS = 2;
export const MOST_RUNS = 8;

const COLOURS = [
  "slot-0",
  "slot-1",
  "slot-2",
  "slot-3",
  "slot-4",
  "slot-5",
  "slot-6",
  "slot-7",
] as const satisfies readonly PlotColour[];

/** The token of a run's colour, by its place among those compared. */
export const runColour = (place: number): PlotColour => COLOURS[place % MOST_RUNS] ?? "slot-0";
