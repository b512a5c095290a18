/** Draws tiles on the stage's canvas. */
import type { Paint } from "./Playing.ts";
import type { StageSize, StageTheme } from "./stageProtocol.ts";
import type { Stroke } from "./Transition.ts";
import type { Rectangle } from "./tileGrid.ts";

/** Of the bar in a tile's last rows, CSS pixels. */
const BAR = 3;

/** Radius of a tile's upper corners, as the page frames them, CSS pixels. */
const CORNER = 4;

/** Height of the picture in a tile, CSS pixels. */
export const pictureHeight = ({ height }: Pick<Rectangle, "height">): number => Math.max(1, height - BAR);

/** What a tile shows. */
export interface TileLook {
  readonly paint: Paint;
  /** Of its body and its bar. */
  readonly colour: string;
  /** Length of its return's bar, 0 to 1. */
  readonly bar: number;
}

export class Painter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #size: StageSize;
  #theme: StageTheme;
  /** The canvas as it was when a cast began to leave. */
  #kept: OffscreenCanvas | null = null;

  /** @throws Error where the browser gives no 2D context. */
  constructor(canvas: OffscreenCanvas, size: StageSize, theme: StageTheme) {
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("This browser gives workers no canvas to draw on.");
    this.#canvas = canvas;
    this.#context = context;
    this.#size = size;
    this.#theme = theme;
    this.resize(size);
  }

  get size(): StageSize {
    return this.#size;
  }

  /** Empties the canvas. */
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

  tile(place: Rectangle, { paint, colour, bar }: TileLook): void {
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
    context.fillStyle = theme.line;
    context.fillRect(0, high, width, BAR);
    context.fillStyle = colour;
    context.fillRect(0, high, width * bar, BAR);
    context.restore();
  }

  /** Keeps what is on the canvas for {@link strokes}. */
  keep(): void {
    const kept = new OffscreenCanvas(this.#canvas.width, this.#canvas.height);
    kept.getContext("2d")?.drawImage(this.#canvas, 0, 0);
    this.#kept = kept;
  }

  drop(): void {
    this.#kept = null;
  }

  /** The canvas anew, of pieces of what was kept. */
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
      // Covered instead of drawn faintly: what is grey has to lie on something.
      context.globalAlpha = 1 - opacity;
      context.fillStyle = this.#theme.ground;
      if (opacity < 1) context.fillRect(x, y, width, height);
      context.globalAlpha = 1;
    }
  }
}
