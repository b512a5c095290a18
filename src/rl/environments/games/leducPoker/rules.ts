import { Box, Discrete } from "../../../spaces.ts";
import { CHANCE, type GameRules, type GameState } from "../../face/GameRules.ts";
import { PLAYERS } from "../boards.ts";
import { cardsLeft, HIDDEN, oneHot } from "../cards.ts";

/** Jack, queen and king of two suits: cards 0 and 1 are jacks, 4 and 5 kings. */
export const DECK = 6;
export const SUITS = 2;
export const ROUNDS = 2;
/** Most moves of a round: a call, two raises, and the answer. */
export const ROUND_MOVES = 4;
export const MAX_RAISES = 2;
export const [FOLD, CALL, RAISE] = [0, 1, 2] as const;
/** Chips of a raise in the first round; twice as many in the second. */
export const RAISE_CHIPS = 2;
const MOVES = ROUNDS * ROUND_MOVES;
/** Places in a state: the cards of both players and of the table, moves, chips, round, end, and mover. */
export const [PUBLIC, MADE, CHIPS] = [2, 3, 3 + MOVES] as const;
const [ROUND, ENDED, MOVER] = [CHIPS + 2, CHIPS + 3, CHIPS + 4] as const;

const at = (state: GameState, place: number): number => state[place] ?? 0;
const roundMoves = (state: GameState): GameState =>
  state.slice(MADE + at(state, ROUND) * ROUND_MOVES).slice(0, ROUND_MOVES);
const made = (moves: GameState): number => moves.filter((move) => move !== HIDDEN).length;

/** Whether chance deals a card: to the players, or to the table between the rounds. */
const deals = (state: GameState): boolean =>
  at(state, 1) === HIDDEN || (at(state, ROUND) === 1 && at(state, PUBLIC) === HIDDEN);

/** What a hand is worth: a pair beats all others, then the rank counts. */
const worth = (card: number, table: number): number => {
  const rank = Math.floor(card / SUITS);
  return rank === Math.floor(table / SUITS) ? rank + DECK : rank;
};

function legal(state: GameState): number[] {
  if (deals(state) || at(state, ENDED) === 1) return [];
  const mover = at(state, MOVER);
  const faces = at(state, CHIPS + 1 - mover) > at(state, CHIPS + mover);
  const raises = roundMoves(state).filter((move) => move === RAISE).length;
  return [...(faces ? [FOLD] : []), CALL, ...(raises < MAX_RAISES ? [RAISE] : [])];
}

function deal(state: GameState, card: number): GameState {
  const place = state.indexOf(HIDDEN);
  return state.with(place, card);
}

function next(state: GameState, action: number): GameState {
  if (deals(state)) return deal(state, action);
  const [round, mover] = [at(state, ROUND), at(state, MOVER)];
  const turn = made(roundMoves(state));
  const other = at(state, CHIPS + 1 - mover);
  const after = [...state];
  after[MADE + round * ROUND_MOVES + turn] = action;
  if (action !== FOLD) after[CHIPS + mover] = other + (action === RAISE ? RAISE_CHIPS * (1 + round) : 0);
  const closes = action === CALL && turn >= 1;
  after[ENDED] = Number(action === FOLD || (closes && round === 1));
  after[ROUND] = closes ? 1 : round;
  after[MOVER] = closes && round === 0 ? 0 : 1 - mover;
  return after;
}

/**
 * Poker with six cards (Southey et al. 2005, arXiv 1207.1411), with the moves of OpenSpiel's leduc_poker: two rounds of
 * betting, and a card on the table between them. A player may fold only when the other has put in more chips.
 */
export const leducPoker: GameRules = {
  id: "rlkit/LeducPoker",
  players: PLAYERS,
  observation_space: new Box({ low: 0, high: 1, shape: [2 + 2 * DECK + 2 * MOVES] }),
  action_space: new Discrete(3),
  max_moves: MOVES,
  max_return: 1 + MAX_RAISES * RAISE_CHIPS * (1 + 2),
  // Who closes the first round may begin the second.
  keeps_turn: true,
  start: [...Array.from({ length: MADE + MOVES }, () => HIDDEN), 1, 1, 0, 0, 0],
  player: (state) => (deals(state) ? CHANCE : at(state, MOVER)),
  legal,
  chance: (state) => cardsLeft(DECK, state.slice(0, MADE)),
  next,
  returns(state) {
    if (at(state, ENDED) === 0) return null;
    const [own, other, table] = state.slice(0, MADE) as [number, number, number];
    const [ownChips, otherChips] = [at(state, CHIPS), at(state, CHIPS + 1)];
    const ahead = ownChips - otherChips || worth(own, table) - worth(other, table);
    const won = Math.min(ownChips, otherChips) * Math.sign(ahead);
    return [won, won === 0 ? 0 : -won];
  },
  observe: (state, player) => [
    ...oneHot(player, 2),
    ...oneHot(at(state, player), DECK),
    ...oneHot(at(state, PUBLIC), DECK),
    ...state.slice(MADE, CHIPS).flatMap((move) => [Number(move === CALL), Number(move === RAISE)]),
  ],
  seenBy: (state, player) => state.with(1 - player, HIDDEN),
  actionName: (action) => ["fold", "call", "raise"][action] ?? String(action),
};
