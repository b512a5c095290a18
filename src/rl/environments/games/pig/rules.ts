import { Box, Discrete } from "../../../spaces.ts";
import { CHANCE, type ChanceOutcome, type GameRules, type GameState } from "../../face/GameRules.ts";
import { PLAYERS } from "../boards.ts";

export const [HOLD, ROLL] = [0, 1] as const;
export const FACES = 6;
/** Far more than games of random moves last. */
const MAX_MOVES = 1000;
/** What `die` is while it rolls: then chance moves. */
const ROLLING = -1;

/** States: both scores, points of the turn, the die (0 before the first roll of a turn), and the mover. */
type Parts = readonly [first: number, second: number, turn: number, die: number, mover: number];
const partsOf = (state: GameState): Parts => state as Parts;

const OUTCOMES: readonly ChanceOutcome[] = Array.from({ length: FACES }, (_, face) => [face + 1, 1 / FACES]);

/**
 * Pig, a jeopardy dice game (Neller and Presser 2004). In its turn a player rolls a die as often as it likes, and adds up
 * the faces. A 1 ends the turn and loses its points; holding adds them to the player's score.
 *
 * @param target Points that win.
 */
export const pigRules = (target: number): GameRules => ({
  id: "rlkit/Pig",
  players: PLAYERS,
  observation_space: new Box({ low: 0, high: Number.POSITIVE_INFINITY, shape: [3] }),
  action_space: new Discrete(2),
  max_moves: MAX_MOVES,
  moves_in_a_row: Number.POSITIVE_INFINITY,
  start: [0, 0, 0, 0, 0],
  player(state) {
    const [, , , die, mover] = partsOf(state);
    return die === ROLLING ? CHANCE : mover;
  },
  legal(state) {
    const [first, second, , die] = partsOf(state);
    return die === ROLLING || Math.max(first, second) >= target ? [] : [HOLD, ROLL];
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
  actionName: (action) => (action === HOLD ? "hold" : "roll"),
});
