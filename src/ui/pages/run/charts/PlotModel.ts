import type { PlotColour, PlotTheme } from "./plotTheme.ts";

/** One line of a chart, with a value for each position. */
export interface PlotLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly colour: PlotColour;
  /** Width in pixels; 0 for a line that is only the edge of a band. */
  readonly width: number;
  readonly dash?: readonly number[];
  /** Whether the readout under the pointer includes it. */
  readonly read: boolean;
}

/** A filled area between two lines. */
export interface PlotBand {
  /** Indices of the upper and the lower line. */
  readonly between: readonly [number, number];
  readonly colour: PlotColour;
  readonly opacity: number;
}

/** The coordinate mapping of a chart, in device pixels. */
export interface PlotPlace {
  readonly context: CanvasRenderingContext2D;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly ratio: number;
  readonly width: number;
}

/** The content of a chart. */
export interface PlotModel {
  /** Positions in ascending order: generations, steps or seconds. */
  readonly x: readonly number[];
  /** Whether the positions are generations. */
  readonly byGeneration?: boolean;
  readonly lines: readonly PlotLine[];
  readonly bands: readonly PlotBand[];
  readonly log: boolean;
  /** Ends of the vertical axis. By default, it fits all values. */
  readonly range?: readonly [number, number];
  /** Values marked by a dashed horizontal line, always within the axis. */
  readonly bounds: readonly number[];
  /** Labelled positions marked by a vertical line, such as generations in which the user steered. */
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Whether lines bridge positions without a value, as for runs with different positions. */
  readonly joined?: boolean;
  /** Whether the values of lines with few values are drawn as dots too. */
  readonly dotted?: boolean;
  /** Draws content below the lines. */
  readonly under: ((place: PlotPlace, theme: PlotTheme) => void) | null;
  readonly format: (value: number) => string;
  readonly formatX: (value: number) => string;
}
