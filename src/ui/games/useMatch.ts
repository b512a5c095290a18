import { useCallback, useEffect, useState } from "react";
import type { GameRules } from "../../rl/environments.ts";
import type { Advice } from "../../stage/stageProtocol.ts";
import { messageOf } from "../lib/format.ts";
import { afterMove, isOwnTurn, type Match, moverOf, newMatch, type Uniform, undone } from "./match.ts";
import type { Rival, RivalChoice } from "./rivals.ts";

/** Milliseconds that the opponent takes at least, so that its moves can be followed. */
const THINKING = 400;

export interface MatchHandle {
  readonly match: Match;
  /** Null while it is being opened. */
  readonly rival: Rival | null;
  readonly problem: string | null;
  readonly move: (action: number) => void;
  readonly undo: () => void;
  /** @param seat The user's player: 0 has the first turn. */
  readonly begin: (seat: number) => void;
}

/**
 * A match between the user and a rival. With another choice, the match goes on against that one.
 * @param simulations Of the rival's searches; 0 for none.
 */
export function useMatch(
  rules: GameRules,
  choice: RivalChoice,
  uniform: Uniform,
  simulations: number,
): MatchHandle {
  const [match, setMatch] = useState(() => newMatch(rules, 0, uniform));
  const [rival, setRival] = useState<Rival | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    let opened: Rival | null = null;
    let wanted = true;
    choice.open(rules, uniform).then(
      (found) => {
        if (!wanted) return found.close();
        opened = found;
        setRival(found);
      },
      (error: unknown) => wanted && setProblem(messageOf(error)),
    );
    return () => {
      wanted = false;
      opened?.close();
      setRival(null);
      setProblem(null);
    };
  }, [rules, choice, uniform]);

  useEffect(() => {
    if (rival === null || moverOf(match) === null || isOwnTurn(match)) return undefined;
    let wanted = true;
    const answer = async (): Promise<void> => {
      const thinking = rules.ticks_per_second === undefined ? THINKING : 0;
      const pause = new Promise((resolve) => setTimeout(resolve, thinking));
      const [action] = await Promise.all([rival.move(match, simulations), pause]);
      if (wanted) setMatch(afterMove(match, action, uniform));
    };
    answer().catch((error: unknown) => wanted && setProblem(messageOf(error)));
    return () => {
      wanted = false;
    };
  }, [match, rival, rules, uniform, simulations]);

  const move = useCallback(
    (action: number) =>
      setMatch((before) => (isOwnTurn(before) ? afterMove(before, action, uniform) : before)),
    [uniform],
  );
  return {
    match,
    rival,
    problem,
    move,
    undo: () => setMatch(undone),
    begin: (seat) => setMatch(newMatch(rules, seat, uniform)),
  };
}

/** What the rival thinks of the user's position; null while it is not asked, or has not answered. */
export function useAdvice(
  match: Match,
  rival: Rival | null,
  wanted: boolean,
  simulations: number,
): Advice | null {
  const [found, setFound] = useState<{ readonly of: Match; readonly advice: Advice } | null>(null);
  const advise = wanted && isOwnTurn(match) ? rival?.advise : null;
  useEffect(() => {
    if (!advise) return undefined;
    let current = true;
    // The rival's own move tells what is wrong with it.
    advise(match, simulations).then(
      (advice) => current && setFound({ of: match, advice }),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [match, advise, simulations]);
  return advise && found?.of === match ? found.advice : null;
}
