/**
 * Glyphs of environments by id, from their definitions. The build turns this file into its data (vite.config.ts), so that
 * the first page loads glyphs without dynamics; nothing that changes at run time may be here.
 */
import type { Glyph } from "../../rl/environments/drawing/glyph.ts";
import { findEnvironment, listEnvironments } from "../../rl/environments/registry.ts";

export const environmentGlyphs: Readonly<Record<string, Glyph>> = Object.fromEntries(
  listEnvironments().flatMap((id) => {
    const { glyph } = findEnvironment(id);
    return glyph ? [[id, glyph]] : [];
  }),
);
