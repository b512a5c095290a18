import { Box, Discrete } from "../../../spaces.ts";
import { CHANCE, type GameRules, type GameState } from "../../face/GameRules.ts";
import { PLAYERS } from "../boards.ts";
import { cardsLeft, HIDDEN, oneHot } from "../cards.ts";

/** Cards of the deck: jack, queen and king. */
export const DECK = 3;
/** Most moves of a game: pass, bet, and the answer to the bet. */
export const MOVES = 3;
export const BET = 1;

/** States: each player's card, the moves so far (-1 for none), and the player whose turn it is. */
const cardsOf = (state: GameState): GameState => state.slice(0, 2);
const movesOf = (state: GameState): GameState => state.slice(2, 2 + MOVES);
const moverOf = (state: GameState): number => state[2 + MOVES] ?? 0;

/** Whether no move follows. */
const hasEnded = ([first, second, third]: GameState): boolean =>
  second !== HIDDEN && (third !== HIDDEN || first === BET || second !== BET);

const actionName = (action: number): string => (action === BET ? "bet" : "pass");

/**
 * Poker with three cards (Kuhn 1950). Each player antes one chip and gets a card. A player passes or bets one chip;
 * passing after the other's bet gives up. Otherwise the higher card wins.
 */
export const kuhnPoker: GameRules = {
  id: "rlkit/KuhnPoker",
  players: PLAYERS,
  observation_space: new Box({ low: 0, high: 1, shape: [2 + DECK + 2 * MOVES] }),
  action_space: new Discrete(2),
  max_moves: MOVES,
  max_return: 2,
  start: [HIDDEN, HIDDEN, ...Array.from({ length: MOVES }, () => HIDDEN), 0],
  player: (state) => (cardsOf(state).includes(HIDDEN) ? CHANCE : moverOf(state)),
  legal: (state) => (cardsOf(state).includes(HIDDEN) || hasEnded(movesOf(state)) ? [] : [0, BET]),
  chance: (state) => cardsLeft(DECK, cardsOf(state)),
  next(state, action) {
    const place = state.indexOf(HIDDEN);
    const after = state.with(place, action);
    return place < 2 ? after : after.with(2 + MOVES, 1 - moverOf(state));
  },
  returns(state) {
    const [first, second] = cardsOf(state) as [number, number];
    const moves = movesOf(state);
    if (!hasEnded(moves)) return null;
    const chips = [1, 1];
    for (const [turn, move] of moves.entries()) if (move === BET) chips[turn % 2] = 2;
    const [own, other] = chips as [number, number];
    const wins = own === other ? first > second : own > other;
    const won = Math.min(own, other);
    return wins ? [won, -won] : [-won, won];
  },
  observe: (state, player) => [
    ...oneHot(player, 2),
    ...oneHot(state[player] ?? HIDDEN, DECK),
    ...movesOf(state).flatMap((move) => oneHot(move, 2)),
  ],
  seenBy: (state, player) => state.with(1 - player, HIDDEN),
  actionName,
};
