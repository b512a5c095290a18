import { tokenColours } from "../../lib/drawing.ts";

const NAMED = [
  "surface",
  "line",
  "line-strong",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "elite",
  "target",
] as const;

const SLOTS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const STEPS = [1, 2, 3, 4, 5, 6, 7] as const;

/** A colour token that charts may use. */
export type PlotColour =
  | (typeof NAMED)[number]
  | `slot-${(typeof SLOTS)[number]}`
  | `fitness-${(typeof STEPS)[number]}`;

/** The colour token of a lineage or a run, by its index. */
export const slotToken = (index: number): PlotColour => `slot-${SLOTS[index % SLOTS.length] ?? 0}`;

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
  const slots = SLOTS.map(slotToken);
  const steps = STEPS.map((step) => `fitness-${step}` as const);
  const colour = tokenColours<PlotColour>(element, [...NAMED, ...slots, ...steps]);
  return {
    colour,
    members: slots.map((name) => colour[name]),
    fitness: steps.map((name) => colour[name]),
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
}
