/** One stroke or shape of a glyph, in a box of 72 x 48 units with y downwards. */
export interface GlyphShape {
  /** SVG path data, such as "M6 39h60". */
  readonly path: string;
  /** How it is drawn: filled as a body, stroked as what moves, stroked in dashes as a guide; else a plain stroke. */
  readonly style?: "body" | "moving" | "guide";
}

/** A small picture of an environment as plain data; shapes that come later lie above. */
export type Glyph = readonly GlyphShape[];
