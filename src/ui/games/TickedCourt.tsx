import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { DrawEnvironment } from "../../rl/environments.ts";
import { GamePicture } from "./GamePicture.tsx";
import { isOwnTurn, type Match, returnsOf } from "./match.ts";

/** Names of the actions of held keys. */
const KEYS: Readonly<Record<string, string>> = { ArrowUp: "up", ArrowDown: "down" };

interface Props {
  readonly match: Match;
  readonly draw: DrawEnvironment;
  readonly ticks_per_second: number;
  readonly onMove: (action: number) => void;
}

/**
 * A court in which both players move at the same time. While it has the focus, each tick takes the move of the held key, or
 * the first action without one.
 */
export function TickedCourt({ match, draw, ticks_per_second, onMove }: Props) {
  const { rules } = match;
  const [playing, setPlaying] = useState(false);
  const held = useRef<string | null>(null);
  const isOver = returnsOf(match) !== null;
  useEffect(() => {
    if (!playing || !isOwnTurn(match)) return undefined;
    const timer = setTimeout(() => {
      const actions = Array.from({ length: rules.action_space.n }, (_, action) => action);
      onMove(actions.find((action) => rules.actionName(action) === held.current) ?? 0);
    }, 1000 / ticks_per_second);
    return () => clearTimeout(timer);
  }, [match, playing, rules, ticks_per_second, onMove]);
  const hold = (event: KeyboardEvent): void => {
    const name = KEYS[event.key];
    if (name === undefined) return;
    event.preventDefault();
    held.current = event.type === "keydown" ? name : null;
  };
  return (
    <>
      <button
        type="button"
        className="game__court"
        aria-label="Court: hold the arrow keys up and down"
        onFocus={() => setPlaying(true)}
        onBlur={() => setPlaying(false)}
        onKeyDown={hold}
        onKeyUp={hold}
      >
        <GamePicture match={match} draw={draw} />
      </button>
      <p className="soft small">
        {playing || isOver
          ? "Hold the up or down arrow key. The game pauses when the court loses the focus."
          : "Click the court to play, and hold the up or down arrow key."}
      </p>
    </>
  );
}
