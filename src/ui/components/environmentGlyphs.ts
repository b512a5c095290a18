/**
 * Glyphs by environment id, from the environment definitions. The build replaces this file by its evaluated
 * data (vite.config.ts), so that the first page loads glyphs without dynamics. Nothing here may change at run
 * time.
 */
import { findEnvironment, type Glyph, listEnvironments } from "../../rl/environments.ts";

export const environmentGlyphs: Readonly<Record<string, Glyph>> = Object.fromEntries(
  listEnvironments().flatMap((id) => {
    const { glyph } = findEnvironment(id);
    return glyph ? [[id, glyph]] : [];
  }),
);
