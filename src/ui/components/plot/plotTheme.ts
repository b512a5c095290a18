import { tokenColours } from "../../lib/colours.ts";

const TOKENS = [
  "surface",
  "line",
  "line-strong",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "elite",
  "slot-0",
  "slot-1",
  "slot-2",
  "slot-3",
  "slot-4",
  "slot-5",
  "slot-6",
  "slot-7",
  "fitness-1",
  "fitness-2",
  "fitness-3",
  "fitness-4",
  "fitness-5",
  "fitness-6",
  "fitness-7",
] as const;

/** A colour token that charts may use. */
export type PlotColour = (typeof TOKENS)[number];

/** Colours and font of charts, resolved for a canvas. */
export interface PlotTheme {
  readonly colour: Readonly<Record<PlotColour, string>>;
  /** Colours of lineages, 0 to 7. */
  readonly members: readonly string[];
  /** Colours of fitness from low to high, in 7 steps. */
  readonly fitness: readonly string[];
  readonly font: string;
}

/** The theme that applies to an element. */
export function plotTheme(element: HTMLElement): PlotTheme {
  const colour = tokenColours(element, TOKENS);
  const named = (prefix: string): string[] =>
    TOKENS.filter((name) => name.startsWith(prefix)).map((name) => colour[name]);
  return {
    colour,
    members: named("slot-"),
    fitness: named("fitness-"),
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
}
