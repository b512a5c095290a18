import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import type { DrawEnvironment, Glyph } from "../drawing/drawing.ts";

const Shape = z.strictObject({
  path: z.string().min(1),
  style: z.enum(["body", "moving", "guide"]).optional(),
});

const Shown = z.strictObject({
  draw: z.custom((value) => typeof value === "function", "must be a function").optional(),
  glyph: z.array(Shape).optional(),
  frame_rate: z.number().positive().optional(),
  place: z.custom((value) => typeof value === "function", "must be a function").optional(),
});

/** @throws SpecError naming the environment's id and each invalid field of its appearance. */
export function requireAppearance({
  id,
  draw,
  glyph,
  frame_rate,
  place,
}: Appearance & { readonly id: string }): void {
  parseSpec(Shown, { draw, glyph, frame_rate, place }, id);
}

/** How an environment is displayed. Training does not use it. */
export interface Appearance {
  /**
   * Draws a state. If options change the scene, `withOptions` returns an environment with another drawing.
   */
  readonly draw?: DrawEnvironment;
  /** Small picture shown beside the environment's name (default: an abstract picture). */
  readonly glyph?: Glyph;
  /** Steps per second when episodes are played back; Gymnasium's `render_fps` (default: 30). */
  readonly frame_rate?: number;
  /** How far forward a body is in a state, m. If it is there, players show distance and speed. */
  readonly place?: (state: ArrayLike<number>) => number;
}

/** Copies the appearance into plain fields; `draw` is bound to its environment. */
export const appearanceOf = (environment: Appearance): Appearance => {
  const { glyph, frame_rate } = environment;
  return {
    ...(environment.draw && { draw: environment.draw.bind(environment) }),
    ...(glyph && { glyph }),
    ...(frame_rate !== undefined && { frame_rate }),
    ...(environment.place && { place: environment.place.bind(environment) }),
  };
};
