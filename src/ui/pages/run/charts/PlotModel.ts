import type { PlotColour, PlotTheme } from "./plotTheme.ts";

/** One line of a chart, a value for each position. */
export interface PlotLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly colour: PlotColour;
  /** Width in pixels; 0 for an edge of a band alone. */
  readonly width: number;
  readonly dash?: readonly number[];
  /** Whether the readout under the pointer names it. */
  readonly read: boolean;
}

/** A filled area between two lines. */
export interface PlotBand {
  /** Positions of the upper and of the lower line. */
  readonly between: readonly [number, number];
  readonly colour: PlotColour;
  readonly opacity: number;
}

/** Where a chart puts its values, in device pixels. */
export interface PlotPlace {
  readonly context: CanvasRenderingContext2D;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly ratio: number;
  readonly width: number;
}

/** What a chart shows. */
export interface PlotModel {
  /** Positions, rising: generations, steps or seconds. */
  readonly x: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly bands: readonly PlotBand[];
  readonly log: boolean;
  /** Ends of the vertical axis; around all values unless given. */
  readonly range?: readonly [number, number];
  /** Values with a dashed line across the chart, always in sight. */
  readonly bounds: readonly number[];
  /** Positions with a mark across, such as generations in which a person steered, and what it says. */
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Whether lines go on where they have no value, as those of runs with positions of their own do. */
  readonly joined?: boolean;
  /** Drawn below the lines. */
  readonly under: ((place: PlotPlace, theme: PlotTheme) => void) | null;
  readonly format: (value: number) => string;
  readonly formatX: (value: number) => string;
}
