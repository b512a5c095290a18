/** One stroke or shape of a glyph, in a box of 72 x 48 units with y downwards. */
export interface GlyphShape {
  /** SVG path data, such as "M6 39h60". */
  readonly path: string;
  /** "body" is filled, "moving" is a stroke that moves, "guide" is dashed (default: a plain stroke). */
  readonly style?: "body" | "moving" | "guide";
}

/** A small picture of an environment, as plain data. Later shapes are drawn on top of earlier ones. */
export type Glyph = readonly GlyphShape[];
