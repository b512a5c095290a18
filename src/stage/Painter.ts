/** Draws tiles on the stage's canvas. */

import type { DrawingSize } from "../rl/environments.ts";
import type { PictureSize } from "../sandbox/sandboxes.ts";
import { drawWords } from "./drawWords.ts";
import type { Paint } from "./PlayedEpisode.ts";
import { type StageSize, type StageTheme, type Travelled, travelledTexts } from "./stageProtocol.ts";
import type { Moment, Stroke, Thread } from "./Transition.ts";
import type { Rectangle, TileGrid } from "./tileGrid.ts";

/**
 * Height of every picture in the units of its drawing. It is the same as on the Environments page, so that
 * shapes of a fixed size take up the same part of each picture.
 */
const HEIGHT = 320;
/** Maximum length of a picture's longer side. */
const MOST_PIXELS = 2048;

/** The picture size that a stage's tiles request from sandboxes. */
export function ownPictureSize(grid: TileGrid, { ratio }: Pick<StageSize, "ratio">): PictureSize {
  const place = grid.place(0);
  const high = pictureHeight(place);
  const width = Math.max(1, Math.round((HEIGHT * place.width) / high));
  const scale = Math.min((high * ratio) / HEIGHT, MOST_PIXELS / Math.max(width, HEIGHT));
  return { width, height: HEIGHT, scale };
}

/** Height from which a tile is a large one, and the height of the bar in the last rows of large and small tiles, CSS pixels. */
const [LARGE, BAR, THIN] = [48, 3, 2] as const;
const barHeight = (height: number): number => (height >= LARGE ? BAR : THIN);

/** Radius of a tile's upper corners, as the page frames them, CSS pixels. Small tiles have none: clips take time. */
const CORNER = 4;

/** Width of the champion's frame around large and small tiles, CSS pixels. */
const [FRAME, SLIM] = [3, 2] as const;

/** The thread between a parent and its copy, CSS pixels. */
const THREAD = { width: 1.5, sag: 24 } as const;

/** How far the picture of a member without heirs pales, 0 to 1, and that of the last of a population's copies. */
const PALE = 0.72;

/** Height of the picture in a tile, CSS pixels. */
const pictureHeight = ({ height }: Pick<Rectangle, "height">): number =>
  Math.max(1, height - barHeight(height));

/** Appearance of a tile. */
export interface TileLook {
  readonly paint: Paint;
  /** Accent colour of the picture, and colour of the bar of a member that was not evaluated. */
  readonly colour: string;
  /** Length of the bar, 0 to 1. */
  readonly bar: number;
  /** Place by fitness, 1 for the champion, 0 for the last; null if it was not evaluated. It gives the bar its colour. */
  readonly standing: number | null;
  /** How far the picture pales, 0 to 1. */
  readonly paleness: number;
  /** Whether the champion's frame is around it. */
  readonly framed: boolean;
  /** What is new about the member; null for nothing. */
  readonly words: { readonly text: string; readonly opacity: number } | null;
  /** Written in the picture's corners; null for nothing. */
  readonly travelled: Travelled | null;
}

/** Size of text in pictures, as a part of their height, and its least and greatest, CSS pixels. */
const TEXT = { part: 0.06, least: 10, most: 16 };
/** Room around text, and the width from which both texts are side by side, as multiples of its size. */
const [ROOM, BESIDE] = [0.6, 10] as const;
/** Smallest picture with text, CSS pixels. */
const READABLE = { width: 96, height: 64 };

/** Writes distance and speed. @param width CSS pixels of the picture, as `height`. */
function write(
  context: OffscreenCanvasRenderingContext2D,
  travelled: Travelled,
  { width, height }: DrawingSize,
  { ink }: StageTheme,
): void {
  if (width < READABLE.width || height < READABLE.height) return;
  const size = Math.min(TEXT.most, Math.max(TEXT.least, Math.round(height * TEXT.part)));
  context.font = `${size}px system-ui, sans-serif`;
  context.textBaseline = "top";
  context.fillStyle = ink;
  const [distance, speed] = travelledTexts(travelled);
  const room = size * ROOM;
  if (width >= size * BESIDE) return context.fillText(`${distance}   ${speed}`, room, room);
  context.fillText(speed, room, room);
  context.textBaseline = "alphabetic";
  context.fillText(distance, room, height - room);
}

export class Painter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #size: StageSize;
  #theme: StageTheme;
  /** Copy of the canvas from when the previous cast began to leave. */
  #kept: OffscreenCanvas | null = null;

  /** @throws Error if the browser provides no 2D context. */
  constructor(canvas: OffscreenCanvas, size: StageSize, theme: StageTheme) {
    const context = canvas.getContext("2d");
    if (context === null)
      throw new Error("This browser does not support 2D canvases in workers; use a current browser.");
    this.#canvas = canvas;
    this.#context = context;
    this.#size = size;
    this.#theme = theme;
    this.resize(size);
  }

  get size(): StageSize {
    return this.#size;
  }

  /** Resizes and clears the canvas. */
  resize(size: StageSize): void {
    this.#size = size;
    this.#canvas.width = Math.max(1, Math.round(size.width * size.ratio));
    this.#canvas.height = Math.max(1, Math.round(size.height * size.ratio));
    this.#context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  }

  set theme(theme: StageTheme) {
    this.#theme = theme;
  }

  clear(): void {
    this.#context.clearRect(0, 0, this.#size.width, this.#size.height);
  }

  tile(
    place: Rectangle,
    { paint, colour, bar, travelled, standing, paleness, framed, words }: TileLook,
  ): void {
    const { x, y, width, height } = place;
    const context = this.#context;
    const theme = this.#theme;
    const high = pictureHeight(place);
    context.save();
    context.beginPath();
    if (height >= LARGE) context.roundRect(x, y, width, height, [CORNER, CORNER, 0, 0]);
    else context.rect(x, y, width, height);
    context.clip();
    context.translate(x, y);
    paint(context, { width, height: high }, { ...theme, accent: colour });
    if (travelled) write(context, travelled, { width, height: high }, theme);
    if (paleness > 0) {
      context.globalAlpha = paleness * PALE;
      context.fillStyle = theme.ground;
      context.fillRect(0, 0, width, high);
      context.globalAlpha = 1;
    }
    context.fillStyle = theme.line;
    context.fillRect(0, high, width, height - high);
    context.fillStyle = this.#barColour(standing) ?? colour;
    context.fillRect(0, high, width * bar, height - high);
    context.restore();
    if (words && words.opacity > 0) drawWords(context, { place, ...words }, theme);
    if (framed) this.#frame(place);
  }

  /** The champion's own colour, or a step of fitness. */
  #barColour(standing: number | null): string | undefined {
    const { accent, fitness } = this.#theme;
    if (standing === null) return undefined;
    return standing === 1
      ? accent
      : fitness[Math.min(fitness.length - 1, Math.floor(standing * fitness.length))];
  }

  #frame({ x, y, width, height }: Rectangle): void {
    const context = this.#context;
    context.strokeStyle = this.#theme.accent;
    const wide = height >= LARGE ? FRAME : SLIM;
    context.lineWidth = wide;
    context.strokeRect(x + wide / 2, y + wide / 2, width - wide, height - wide);
  }

  /** Copies the canvas for {@link moment}. */
  keep(): void {
    const kept = new OffscreenCanvas(this.#canvas.width, this.#canvas.height);
    kept.getContext("2d")?.drawImage(this.#canvas, 0, 0);
    this.#kept = kept;
  }

  drop(): void {
    this.#kept = null;
  }

  /** Redraws the canvas from pieces of the kept copy, and what lies over them. */
  moment({ strokes, threads, copies, words, champion }: Moment): void {
    this.clear();
    for (const stroke of strokes) this.#stroke(stroke);
    for (const thread of threads) this.#thread(thread);
    for (const copy of copies) this.#stroke(copy);
    if (champion !== null) this.#frame(champion);
    for (const one of words) drawWords(this.#context, one, this.#theme);
  }

  /** A curve between the centres of two tiles. */
  #thread({ from, to, opacity }: Thread): void {
    const context = this.#context;
    const [x0, y0] = [from.x + from.width / 2, from.y + from.height / 2];
    const [x1, y1] = [to.x + to.width / 2, to.y + to.height / 2];
    const sag = Math.min(THREAD.sag, Math.hypot(x1 - x0, y1 - y0) * 0.2);
    context.beginPath();
    context.moveTo(x0, y0);
    context.quadraticCurveTo((x0 + x1) / 2, (y0 + y1) / 2 + sag, x1, y1);
    context.globalAlpha = opacity;
    context.strokeStyle = this.#theme.ink;
    context.lineWidth = THREAD.width;
    context.stroke();
    context.globalAlpha = 1;
  }

  #stroke({ source, target, opacity, grey, turn }: Stroke): void {
    const kept = this.#kept;
    if (kept === null || opacity === 0) return;
    const context = this.#context;
    const { ratio } = this.#size;
    const { width, height } = target;
    context.save();
    context.translate(target.x + width / 2, target.y + height / 2);
    context.rotate(turn);
    context.globalAlpha = opacity;
    context.drawImage(
      kept,
      source.x * ratio,
      source.y * ratio,
      source.width * ratio,
      source.height * ratio,
      -width / 2,
      -height / 2,
      width,
      height,
    );
    if (grey > 0) {
      // The theme's ground over the picture: a blend of colours would be slower, and need opaque pixels below.
      context.globalAlpha = opacity * grey * PALE;
      context.fillStyle = this.#theme.ground;
      context.fillRect(-width / 2, -height / 2, width, height);
    }
    context.restore();
  }
}
