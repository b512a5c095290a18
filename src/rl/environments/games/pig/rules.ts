import { Box, Discrete } from "../../../spaces.ts";
import { CHANCE, type ChanceOutcome, type GameRules, type GameState } from "../../face/GameRules.ts";
import { PLAYERS } from "../boards.ts";

export const [HOLD, ROLL] = [0, 1] as const;
export const FACES = 6;
/** Far more than games of random moves last. */
const MAX_MOVES = 1000;
/** Points of a turn at which `rule:hold_at_20` holds. */
export const HOLD_AT = 20;
/** What `die` is while it rolls: then chance moves. */
const ROLLING = -1;

/** States: both scores, points of the turn, the die (0 before the first roll of a turn), and the mover. */
type Parts = readonly [first: number, second: number, turn: number, die: number, mover: number];
const partsOf = (state: GameState): Parts => state as Parts;

/** Whether the mover has the target's points, if it holds. */
const reaches = (state: GameState, target: number): boolean => {
  const [first, second, turn, , mover] = partsOf(state);
  return (mover === 0 ? first : second) + turn >= target;
};

const OUTCOMES: readonly ChanceOutcome[] = Array.from({ length: FACES }, (_, face) => [face + 1, 1 / FACES]);

/**
 * Pig, a jeopardy dice game (Neller and Presser 2004). In its turn a player rolls a die as often as it likes, and adds up
 * the faces. A 1 ends the turn and loses its points; holding adds them to the player's score. Who would win by holding has to
 * hold, so a turn never goes on without a purpose.
 *
 * @param target Points that win.
 */
export const pigRules = (target: number): GameRules => ({
  id: "rlkit/Pig",
  players: PLAYERS,
  observation_space: new Box({ low: 0, high: Number.POSITIVE_INFINITY, shape: [3] }),
  action_space: new Discrete(2),
  max_moves: MAX_MOVES,
  keeps_turn: true,
  start: [0, 0, 0, 0, 0],
  player(state) {
    const [, , , die, mover] = partsOf(state);
    return die === ROLLING ? CHANCE : mover;
  },
  legal(state) {
    const [first, second, , die] = partsOf(state);
    if (die === ROLLING || Math.max(first, second) >= target) return [];
    return reaches(state, target) ? [HOLD] : [HOLD, ROLL];
  },
  chance: () => OUTCOMES,
  next(state, action) {
    const [first, second, turn, die, mover] = partsOf(state);
    if (die === ROLLING)
      return action === 1
        ? [first, second, 0, action, 1 - mover]
        : [first, second, turn + action, action, mover];
    if (action === ROLL) return [first, second, turn, ROLLING, mover];
    const held = (player: number, score: number) => (player === mover ? score + turn : score);
    return [held(0, first), held(1, second), 0, 0, 1 - mover];
  },
  returns(state) {
    const [first, second] = partsOf(state);
    if (Math.max(first, second) < target) return null;
    return first >= target ? [1, -1] : [-1, 1];
  },
  observe(state, player) {
    const [first, second, turn] = partsOf(state);
    const points = player === 0 ? [first, second, turn] : [second, first, turn];
    // A product, as in the compiled game: GPUs round quotients differently.
    return points.map((value) => Math.fround(value * Math.fround(1 / target)));
  },
  own_rule: {
    name: "hold_at_20",
    move: (state) => (partsOf(state)[2] >= HOLD_AT || reaches(state, target) ? HOLD : ROLL),
  },
  actionName: (action) => (action === HOLD ? "hold" : "roll"),
});
