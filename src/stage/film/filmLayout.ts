/** Where things are in the pictures of a film, by its shape. */
import type { FilmShape, StageSize } from "../stageProtocol.ts";
import type { Rectangle } from "../tileGrid.ts";

/** A line of text: its baseline, and on which side it begins or ends. */
interface Line {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly align: "left" | "right";
  /** Most width. */
  readonly width: number;
}

export interface FilmLayout {
  /** The units of the picture, and the pixels of a video in each. */
  readonly film: StageSize;
  readonly stage: Rectangle;
  readonly curve: Rectangle;
  readonly title: Line;
  readonly about: Line;
  readonly generation: Line;
  readonly members: Line;
  readonly label: Line;
  readonly figure: Line;
  readonly foot: Line;
}

const MARGIN = 32;
/** Widths of the best fitness beside the curve, and of the target's name behind it. */
const [FIGURE, TARGET] = [132, 72] as const;

interface Rows {
  readonly film: StageSize;
  /** Baselines of the title, and of what is said of the generation. */
  readonly title: number;
  readonly generation: number;
  /** Upper edges and heights. */
  readonly stage: readonly [y: number, height: number];
  readonly curve: readonly [y: number, height: number];
}

function layout({ film, title, generation, stage, curve }: Rows): FilmLayout {
  const [left, right] = [MARGIN, film.width - MARGIN];
  const width = right - left;
  const shares = title === generation;
  const from = (y: number, size: number, most = width): Line => ({
    x: left,
    y,
    size,
    align: "left",
    width: most,
  });
  const to = (y: number, size: number, most = width): Line => ({
    x: right,
    y,
    size,
    align: "right",
    width: most,
  });
  /** Room for the title beside the generation. */
  const beside = shares ? width - 220 : width;
  return {
    film,
    stage: { x: left, y: stage[0], width, height: stage[1] },
    curve: { x: left + FIGURE, y: curve[0], width: width - FIGURE - TARGET, height: curve[1] },
    title: from(title, 24, beside),
    about: from(title + 23, 14, beside),
    generation: shares ? to(title, 24, 210) : from(generation, 24, width / 2),
    members: shares ? to(title + 23, 14, 210) : to(generation, 14, width / 2),
    label: from(curve[0] + 4, 13, FIGURE - 8),
    figure: from(curve[0] + 38, 30, FIGURE - 8),
    foot: to(film.height - 14, 12),
  };
}

export const FILM_LAYOUTS: Readonly<Record<FilmShape, FilmLayout>> = {
  wide: layout({
    film: { width: 960, height: 540, ratio: 1 },
    title: 42,
    generation: 42,
    stage: [84, 312],
    curve: [424, 72],
  }),
  square: layout({
    film: { width: 720, height: 720, ratio: 1.5 },
    title: 46,
    generation: 46,
    stage: [88, 488],
    curve: [604, 76],
  }),
  tall: layout({
    film: { width: 540, height: 960, ratio: 2 },
    title: 60,
    generation: 128,
    stage: [148, 624],
    curve: [812, 96],
  }),
};
