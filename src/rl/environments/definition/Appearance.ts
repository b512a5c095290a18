import type { DrawEnvironment } from "../drawing/drawing.ts";
import type { Glyph } from "../drawing/glyph.ts";

/** How an environment looks, for people; nothing that trains reads it. */
export interface Appearance {
  /** Draws a state. Where options change the scene, `withOptions` gives the environment another one. */
  readonly draw?: DrawEnvironment;
  /** A small picture beside its name; an abstract one unless given. */
  readonly glyph?: Glyph;
  /** Steps a second at which episodes are shown, Gymnasium's `render_fps`; 30 unless given. */
  readonly frame_rate?: number;
}

/** The same as plain fields; drawings that are methods keep their object. */
export const appearanceOf = (environment: Appearance): Appearance => {
  const { glyph, frame_rate } = environment;
  return {
    ...(environment.draw && { draw: environment.draw.bind(environment) }),
    ...(glyph && { glyph }),
    ...(frame_rate !== undefined && { frame_rate }),
  };
};
