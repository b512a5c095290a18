/** A game between the user and a rival: the states so far, and whose turn it is. */
import { afterChance, type GameRules, type GameState } from "../../rl/environments.ts";
import type { Question } from "../../stage/stageProtocol.ts";

/** Draws uniformly from [0, 1). */
export type Uniform = () => number;

interface Turn {
  /** At the player's turn, before its move. */
  readonly state: GameState;
  readonly player: number;
  readonly action: number;
}

export interface Match {
  readonly rules: GameRules;
  /** The user's player. */
  readonly seat: number;
  readonly turns: readonly Turn[];
  /** After the last move, and after what chance decided. */
  readonly state: GameState;
}

/** What the players got; null while the game runs. A game that is cut after its most moves is a draw. */
export function returnsOf({ rules, state, turns }: Match): readonly number[] | null {
  const found = rules.returns(state);
  if (found || turns.length < rules.max_moves) return found;
  return rules.players.map(() => 0);
}

/** The player whose turn it is; null after the end. */
export const moverOf = (match: Match): number | null =>
  returnsOf(match) === null ? match.rules.player(match.state) : null;

/** Legal actions; none after the end. */
export const legalIn = (match: Match): readonly number[] =>
  moverOf(match) === null ? [] : match.rules.legal(match.state);

export const isOwnTurn = (match: Match): boolean => moverOf(match) === match.seat;

export const newMatch = (rules: GameRules, seat: number, uniform: Uniform): Match => ({
  rules,
  seat,
  turns: [],
  state: afterChance(rules, rules.start, uniform),
});

/** The match after a move of the player whose turn it is; unchanged by an illegal one. */
export function afterMove(match: Match, action: number, uniform: Uniform): Match {
  const player = moverOf(match);
  if (player === null || !legalIn(match).includes(action)) return match;
  const { rules, state, turns } = match;
  return {
    ...match,
    turns: [...turns, { state, player, action }],
    state: afterChance(rules, rules.next(state, action), uniform),
  };
}

/** Whether the user has moved. */
export const canUndo = ({ turns, seat }: Match): boolean => turns.some(({ player }) => player === seat);

/** The match before the user's last move. */
export function undone(match: Match): Match {
  const last = match.turns.findLastIndex(({ player }) => player === match.seat);
  const turn = match.turns[last];
  return turn ? { ...match, turns: match.turns.slice(0, last), state: turn.state } : match;
}

/**
 * What the player whose turn it is sees, and which actions are legal, as a network takes them.
 * @param simulations Of a search (default: none).
 */
export function questionOf(rules: GameRules, state: GameState, simulations = 0): Question {
  const allowed = new Set(rules.legal(state));
  return {
    observation: rules.observe(state, rules.player(state)),
    mask: Array.from({ length: rules.action_space.n }, (_, action) => Number(allowed.has(action))),
    ...(simulations > 0 && { search: { state, simulations } }),
  };
}
