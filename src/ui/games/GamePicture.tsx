import { useEffect, useRef } from "react";
import type { DrawEnvironment } from "../../rl/environments.ts";
import { onThemeChange, tokenColours } from "../lib/drawing.ts";
import { stageTheme } from "../stage/stageSettings.ts";
import { type Match, returnsOf } from "./match.ts";

/** CSS pixels. */
const SIZE = { width: 480, height: 320 };

interface Props {
  readonly match: Match;
  readonly draw: DrawEnvironment;
}

/** A position as its environment draws it. What is hidden from the user is shown at the end. */
export function GamePicture({ match, draw }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const paint = (): void => {
      const place = canvas.current;
      const context = place?.getContext("2d");
      if (!place || !context) return;
      const { rules, seat, turns } = match;
      const state =
        returnsOf(match) === null ? (rules.seenBy?.(match.state, seat) ?? match.state) : match.state;
      const ratio = window.devicePixelRatio || 1;
      place.width = SIZE.width * ratio;
      place.height = SIZE.height * ratio;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      // The champion's colour belongs to agents.
      const theme = { ...stageTheme(place), accent: tokenColours(place, ["accent"]).accent };
      draw(context, state, turns.at(-1)?.action ?? null, SIZE, theme);
    };
    paint();
    return onThemeChange(paint);
  }, [match, draw]);
  return <canvas ref={canvas} className="framed game__picture" aria-hidden="true" />;
}

/** Which player of the picture the user is. */
export const GameSide = ({ match }: { readonly match: Match }) => (
  <p className="soft small">You are the {match.rules.players[match.seat]} player.</p>
);
