import type { Glyph } from "../../rl/environments.ts";
import { environmentId } from "../../specs/messages.ts";
import { environmentGlyphs } from "./environmentGlyphs.ts";

/** For environments without their own glyph. */
const ABSTRACT: Glyph = [
  { path: "M12 24C24 24 24 10 40 10M12 24C24 24 24 38 40 38" },
  { path: "M12 24h26c10 0 10-6 20-6", style: "moving" },
  { path: "M16 24a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "body" },
];

/** For language models: a prompt and its completion. */
const TEXT: Glyph = [
  { path: "M8 9h30a4 4 0 0 1 4 4v5a4 4 0 0 1-4 4H16l-6 5v-5H8" },
  { path: "M14 15.5h20", style: "guide" },
  { path: "M64 28H34a4 4 0 0 0-4 4v4a4 4 0 0 0 4 4h30" },
  { path: "M36 34h14", style: "moving" },
  { path: "M53 30v8h3v-8z", style: "body" },
];

const ATTRIBUTES = {
  body: { className: "glyph__body" },
  moving: { className: "glyph__moving" },
  guide: { strokeDasharray: "2 4" },
} as const;

interface Props {
  readonly environment: string;
  /** Whether the environment trains a language model. */
  readonly text: boolean;
}

/** A small drawing of an environment; an abstract one if it has no glyph. */
export function EnvironmentGlyph({ environment, text }: Props) {
  const glyph = text ? TEXT : (environmentGlyphs[environmentId(environment)] ?? ABSTRACT);
  return (
    <svg className="glyph" viewBox="0 0 72 48" aria-hidden="true">
      {glyph.map(({ path, style }) => (
        <path key={path} d={path} {...(style && ATTRIBUTES[style])} />
      ))}
    </svg>
  );
}
