import type { Rectangle } from "../tileGrid.ts";

/** The places of a film's picture, in units of 960 x 540. */
export const FILM = { width: 960, height: 540 } as const;

const MARGIN = 32;

export const STAGE: Rectangle = { x: MARGIN, y: 84, width: FILM.width - 2 * MARGIN, height: 312 };
export const CURVE: Rectangle = { x: MARGIN + 132, y: 424, width: FILM.width - 2 * MARGIN - 204, height: 72 };

/** Sides, baselines and sizes of texts. */
export const TEXT = {
  left: MARGIN,
  right: FILM.width - MARGIN,
  title: { y: 42, size: 24 },
  about: { y: 65, size: 14 },
  figure: { y: 462, size: 30 },
  label: { y: 428, size: 13 },
  foot: { y: FILM.height - 14, size: 12 },
} as const;
