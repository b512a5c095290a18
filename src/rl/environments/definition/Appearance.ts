import type { DrawEnvironment } from "../drawing/drawing.ts";
import type { Glyph } from "../drawing/glyph.ts";

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
}

/** Copies the appearance into plain fields; `draw` is bound to its environment. */
export const appearanceOf = (environment: Appearance): Appearance => {
  const { glyph, frame_rate } = environment;
  return {
    ...(environment.draw && { draw: environment.draw.bind(environment) }),
    ...(glyph && { glyph }),
    ...(frame_rate !== undefined && { frame_rate }),
  };
};
