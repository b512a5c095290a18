import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, chevron, disc, scene } from "../../drawing/scene.ts";
import { type Cell, SIDE } from "./board.ts";

/** Colours that are distinguishable with any colour vision, on light and dark pages (Okabe and Ito 2008). */
const ORANGE = "#e69f00";
const SKY = "#56b4e9";
const GREEN = "#009e73";
const VERMILION = "#d55e00";
const PURPLE = "#cc79a7";

interface Look {
  readonly colour: string;
  /** Side of the square, as a fraction of the cell's side. */
  readonly size?: number;
  readonly alpha?: number;
  /** Shift to the right from the cell's centre, as a fraction of the cell's side. */
  readonly shift?: number;
}

/** How an occupied cell of a channel looks. */
function lookOf(channel: string, { ink, accent, muted }: DrawingTheme): Look {
  switch (channel) {
    case "paddle":
    case "chicken":
    case "cannon":
    case "player":
    case "sub_front":
      return { colour: accent };
    case "sub_back":
      return { colour: accent, alpha: 0.55 };
    case "ball":
      return { colour: ink, size: 0.6 };
    case "friendly_bullet":
      return { colour: ink, size: 0.36 };
    case "enemy_bullet":
      return { colour: VERMILION, size: 0.36 };
    case "trail":
      return { colour: muted, size: 0.5, alpha: 0.5 };
    case "brick":
    case "gold":
    case "enemy_fish":
      return { colour: ORANGE };
    case "alien":
      return { colour: PURPLE };
    case "alien_left":
      return { colour: ink, size: 0.2, shift: -0.24 };
    case "alien_right":
      return { colour: ink, size: 0.2, shift: 0.24 };
    case "oxygen_guage":
      return { colour: SKY, size: 0.7 };
    case "diver_guage":
      return { colour: GREEN, size: 0.36 };
    case "diver":
      return { colour: GREEN, size: 0.7 };
    default: {
      // Trails of cars: faster cars have stronger trails.
      const speed = /^speed([1-5])$/.exec(channel)?.[1];
      return speed === undefined
        ? { colour: VERMILION }
        : { colour: VERMILION, size: 0.6, alpha: 0.65 - 0.1 * Number(speed) };
    }
  }
}

function board(context: DrawingContext, theme: DrawingTheme): void {
  context.fillStyle = theme.muted;
  context.globalAlpha = 0.1;
  for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) square(context, x, y, 0.94);
  context.globalAlpha = 1;
}

/** A square with rounded corners in the middle of a cell; row `y` counts from the top. */
function square(context: DrawingContext, x: number, y: number, size: number): void {
  context.beginPath();
  context.roundRect(x + (1 - size) / 2, SIDE - 1 - y + (1 - size) / 2, size, size, size * 0.18);
  context.fill();
}

function paint(context: DrawingContext, { channel, x, y }: Cell, theme: DrawingTheme): void {
  const { colour, size = 0.86, alpha = 1, shift = 0 } = lookOf(channel, theme);
  context.fillStyle = colour;
  context.globalAlpha = alpha;
  square(context, x + shift, y, size);
  context.globalAlpha = 1;
}

/** Quarter turns from "right" for the keys that have a direction. */
const TURNS: Readonly<Record<string, number>> = { right: 0, up: 1, left: 2, down: 3 };

/** Draws the key of the last step below the board. With sticky actions it is not always the chosen key. */
function pressedKey(context: DrawingContext, key: string | undefined, theme: DrawingTheme): void {
  context.save();
  context.translate(SIDE / 2, -0.6);
  const turn = key === undefined ? undefined : TURNS[key];
  if (turn !== undefined) {
    context.rotate((turn * Math.PI) / 2);
    chevron(context, 0.14, 0, 1, 0.28, theme.ink);
  } else if (key === "fire") disc(context, 0, 0, 0.24, theme.ink);
  context.restore();
}

/** The 10 by 10 cells of a MinAtar game, and the key of the last step. */
export const minAtarDrawing = (
  keys: readonly string[],
  cells: (state: ArrayLike<number>) => readonly Cell[],
): DrawEnvironment =>
  scene({ left: -0.1, right: SIDE + 0.1, bottom: -1.1, top: SIDE + 0.1 }, (context, state, action, theme) => {
    board(context, theme);
    for (const cell of cells(state)) paint(context, cell, theme);
    if (action !== null) pressedKey(context, keys[at(state, state.length - 1)], theme);
  });
