import type { StageTheme } from "../../stage/stageProtocol.ts";
import { tokenColours } from "../lib/tokenColours.ts";

/** The colours of a stage, in the theme that applies to an element. */
export function stageTheme(place: HTMLElement): StageTheme {
  const colours = tokenColours(place, ["ink", "elite", "line-strong", "surface-2", "line"]);
  return {
    ink: colours.ink,
    accent: colours.elite,
    muted: colours["line-strong"],
    ground: colours["surface-2"],
    line: colours.line,
  };
}
