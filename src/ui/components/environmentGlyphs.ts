/**
 * Glyphs by environment id, and the ids of games, from the environment definitions. The build replaces this file by its
 * evaluated data (vite.config.ts), so that the first page loads these without dynamics. Nothing here may change at run
 * time.
 */
import { findEnvironment, type Glyph, isCompiled, listEnvironments } from "../../rl/environments.ts";

export const environmentGlyphs: Readonly<Record<string, Glyph>> = Object.fromEntries(
  listEnvironments().flatMap((id) => {
    const { glyph } = findEnvironment(id);
    return glyph ? [[id, glyph]] : [];
  }),
);

/** Environments in which two players move in turn. */
export const gameIds: readonly string[] = listEnvironments().filter((id) => {
  const found = findEnvironment(id);
  return isCompiled(found) && found.game !== undefined;
});
