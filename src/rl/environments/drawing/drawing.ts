/**
 * Drawings of environments: the canvas context that they use, the page's colours, glyphs, and drawings that callers
 * register in place of the environments' own.
 */
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

/** One stroke or shape of a glyph, in a box of 72 x 48 units with y downwards. */
export interface GlyphShape {
  /** SVG path data, such as "M6 39h60". */
  readonly path: string;
  /** "body" is filled, "moving" is a stroke that moves, "guide" is dashed (default: a plain stroke). */
  readonly style?: "body" | "moving" | "guide";
}

/** A small picture of an environment, as plain data. Later shapes are drawn on top of earlier ones. */
export type Glyph = readonly GlyphShape[];

/** The fields of an environment that define its drawing. */
interface Drawn {
  readonly id: string;
  readonly draw?: DrawEnvironment;
}

const drawings = new Map<string, DrawEnvironment>();

/**
 * Registers a drawing for an environment; replaces any earlier one.
 *
 * @example
 * ```ts
 * registerDrawing("CartPole-v1", (context, state) => {
 *   context.beginPath();
 *   context.arc(100 + 40 * Number(state[0]), 50, 10, 0, 7);
 *   context.fill();
 * });
 * ```
 */
export function registerDrawing(id: string, draw: DrawEnvironment): void {
  drawings.set(id, draw);
}

/** The drawing that was registered for an environment; null if there is none. */
export const registeredDrawing = (id: string): DrawEnvironment | null => drawings.get(id) ?? null;

/** The drawing of an environment: the registered one, otherwise its own; null if there is neither. */
export const drawingOf = (environment: Drawn): DrawEnvironment | null =>
  registeredDrawing(environment.id) ?? environment.draw?.bind(environment) ?? null;
