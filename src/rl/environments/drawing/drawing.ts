/** Types for drawings of environments: the canvas context that they use, and the page's colours. */

/**
 * The part of a 2D canvas context that drawings use. Contexts of canvas elements and offscreen canvases are
 * assignable. It is declared here so that the library's types do not need the DOM library.
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
  /** A CSS colour. The type also allows gradients and patterns, which canvas contexts may hold. */
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  lineCap: "butt" | "round" | "square";
  lineJoin: "bevel" | "miter" | "round";
  globalAlpha: number;
}

/** Size in CSS pixels. */
export interface DrawingSize {
  readonly width: number;
  readonly height: number;
}

/** CSS colours, which differ between light and dark pages. */
export interface DrawingTheme {
  /** Bodies and outlines. */
  readonly ink: string;
  /** Objects that the agent controls. */
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
