import type { Glyph } from "../../rl/environments/drawing/glyph.ts";
import { environmentId } from "../../specs/environmentId.ts";
import { environmentGlyphs } from "./environmentGlyphs.ts";

/** Of an environment that has none of its own. */
const ABSTRACT: Glyph = [
  { path: "M12 24C24 24 24 10 40 10M12 24C24 24 24 38 40 38" },
  { path: "M12 24h26c10 0 10-6 20-6", style: "moving" },
  { path: "M16 24a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "body" },
];

const ATTRIBUTES = {
  body: { className: "glyph__body" },
  moving: { className: "glyph__moving" },
  guide: { strokeDasharray: "2 4" },
} as const;

/** A small drawing of an environment; an abstract one where there is none of its own. */
export function EnvironmentGlyph({ environment }: { readonly environment: string }) {
  const glyph = environmentGlyphs[environmentId(environment)] ?? ABSTRACT;
  return (
    <svg className="glyph" viewBox="0 0 72 48" aria-hidden="true">
      {glyph.map(({ path, style }) => (
        <path key={path} d={path} {...(style && ATTRIBUTES[style])} />
      ))}
    </svg>
  );
}
