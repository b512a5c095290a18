import type { Glyph } from "../../drawing/glyph.ts";

/** A car in its valley, and the flag. */
export const mountainCarGlyph: Glyph = [
  { path: "M6 20C14 30 20 41 30 41S46 24 56 11q4-4 10-3" },
  { path: "M59 8V1l6 2.5-6 2.5", style: "moving" },
  {
    path: "M20.63 25.77L25.23 29.63A2 2 0 0 1 25.47 32.45L24.19 33.98A2 2 0 0 1 21.37 34.23L16.77 30.37A2 2 0 0 1 16.53 27.55L17.81 26.02A2 2 0 0 1 20.63 25.77z",
    style: "body",
  },
];
