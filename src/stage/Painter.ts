/** Draws tiles on the stage's canvas. */

import type { DrawingSize } from "../rl/environments.ts";
import type { PictureSize } from "../sandbox/sandboxes.ts";
import type { Paint } from "./Playing.ts";
import { type StageSize, type StageTheme, type Travelled, travelledTexts } from "./stageProtocol.ts";
import type { Stroke } from "./Transition.ts";
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

/** Height of the bar in a tile's last rows, CSS pixels. */
const BAR = 3;

/** Radius of a tile's upper corners, as the page frames them, CSS pixels. */
const CORNER = 4;

/** Height of the picture in a tile, CSS pixels. */
const pictureHeight = ({ height }: Pick<Rectangle, "height">): number => Math.max(1, height - BAR);

/** Appearance of a tile. */
interface TileLook {
  readonly paint: Paint;
  /** Accent colour of the picture, and colour of the bar. */
  readonly colour: string;
  /** Length of the return bar, 0 to 1. */
  readonly bar: number;
  /** Written in the picture's corners; null for nothing. */
  readonly travelled: Travelled | null;
}

/** Size of text in pictures, as a part of their height, and its least and greatest, CSS pixels. */
const TEXT = { part: 0.06, least: 10, most: 16 };
/** Room around text, and the width from which both texts are side by side, as multiples of its size. */
const [ROOM, BESIDE] = [0.6, 10] as const;
/** Smallest picture with text, CSS pixels. */
const READABLE = { width: 56, height: 44 };

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

  tile(place: Rectangle, { paint, colour, bar, travelled }: TileLook): void {
    const { x, y, width, height } = place;
    const context = this.#context;
    const theme = this.#theme;
    const high = pictureHeight(place);
    context.save();
    context.beginPath();
    context.roundRect(x, y, width, height, [CORNER, CORNER, 0, 0]);
    context.clip();
    context.translate(x, y);
    paint(context, { width, height: high }, { ...theme, accent: colour });
    if (travelled) write(context, travelled, { width, height: high }, theme);
    context.fillStyle = theme.line;
    context.fillRect(0, high, width, BAR);
    context.fillStyle = colour;
    context.fillRect(0, high, width * bar, BAR);
    context.restore();
  }

  /** Copies the canvas for {@link strokes}. */
  keep(): void {
    const kept = new OffscreenCanvas(this.#canvas.width, this.#canvas.height);
    kept.getContext("2d")?.drawImage(this.#canvas, 0, 0);
    this.#kept = kept;
  }

  drop(): void {
    this.#kept = null;
  }

  /** Redraws the canvas from pieces of the kept copy. */
  strokes(strokes: readonly Stroke[]): void {
    const kept = this.#kept;
    if (kept === null) return;
    const context = this.#context;
    const { ratio } = this.#size;
    this.clear();
    for (const { source, target, opacity, grey } of strokes) {
      const { x, y, width, height } = target;
      context.drawImage(
        kept,
        source.x * ratio,
        source.y * ratio,
        source.width * ratio,
        source.height * ratio,
        x,
        y,
        width,
        height,
      );
      if (grey > 0) {
        context.globalAlpha = grey;
        context.globalCompositeOperation = "saturation";
        context.fillStyle = "#808080";
        context.fillRect(x, y, width, height);
        context.globalCompositeOperation = "source-over";
      }
      // Covers the piece instead of drawing it with low opacity, because greying needs opaque pixels below.
      context.globalAlpha = 1 - opacity;
      context.fillStyle = this.#theme.ground;
      if (opacity < 1) context.fillRect(x, y, width, height);
      context.globalAlpha = 1;
    }
  }
}
