import type { PlotColour } from "../run/charts/plotTheme.ts";

/** Minimum and maximum number of compared runs; colours tell at most eight apart. */
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

/** The colour token of a run, by its index among the compared runs. */
export const runColour = (place: number): PlotColour => COLOURS[place % MOST_RUNS] ?? "slot-0";
