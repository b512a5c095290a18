/** What drawings of environments are made with: part of a canvas context, and the colours of the page. */

/**
 * The part of a 2D canvas context that drawings use; contexts of canvas elements and offscreen canvases fit. Written out,
 * so that the library's types need no DOM library.
 */
export interface DrawingContext {
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  rotate(angle: number): void;
  scale(x: number, y: number): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(x: number, y: number, radius: number, from: number, to: number, counterclockwise?: boolean): void;
  roundRect(x: number, y: number, width: number, height: number, radii?: number | number[]): void;
  rect(x: number, y: number, width: number, height: number): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  setLineDash(segments: number[]): void;
  /** A CSS colour; contexts may hold gradients and patterns too. */
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  lineCap: "butt" | "round" | "square";
  lineJoin: "bevel" | "miter" | "round";
  globalAlpha: number;
}

/** CSS pixels. */
export interface DrawingSize {
  readonly width: number;
  readonly height: number;
}

/** CSS colours, for light and dark pages alike. */
export interface DrawingTheme {
  /** Bodies and outlines. */
  readonly ink: string;
  /** What the agent controls. */
  readonly accent: string;
  /** Guides and scenery. */
  readonly muted: string;
  /** Background. */
  readonly ground: string;
}

/** Where to draw. */
export interface RenderTarget {
  readonly context: DrawingContext;
  readonly size: DrawingSize;
  readonly theme: DrawingTheme;
}

/** Draws one environment's scene over the whole size, background included. */
export type DrawEnvironment = (
  context: DrawingContext,
  state: ArrayLike<number>,
  action: number | null,
  size: DrawingSize,
  theme: DrawingTheme,
) => void;
