import { Box, Discrete } from "../../../spaces.ts";
import type { GameRules, GameState } from "../../face/GameRules.ts";
import { cellName, PLAYERS, stoneOf } from "../boards.ts";
import { squareSymmetries } from "../symmetries.ts";
import { areaOf, CELLS, codeOf, GRID, NEIGHBOURS, regionOf, SIZE } from "./board.ts";

export const PASS = CELLS;
export const MAX_MOVES = 100;
export const PLANES = 4;
/** Numbers of the boards so far in a state: the low numbers of all codes, then the high ones. */
export const HISTORY = 2 * MAX_MOVES;
/** Places in a state, after the board and the groups of its stones. */
const [LAST_LIBERTY, BOARDS] = [2 * CELLS, 3 * CELLS] as const;
const [MOVES, PASSES, MOVER] = [BOARDS + HISTORY, BOARDS + HISTORY + 1, BOARDS + HISTORY + 2] as const;
const NONE = -1;

const at = (state: GameState, place: number): number => state[place] ?? 0;
const boardOf = (state: GameState): GameState => state.slice(0, CELLS);

/** For each stone its group's first cell, and the group's liberty if it has only one. */
function groupsOf(board: GameState): { readonly groups: number[]; readonly last: number[] } {
  const groups = board.map(() => NONE);
  const last = board.map(() => NONE);
  for (const [cell, stone] of board.entries()) {
    if (stone === 0 || groups[cell] !== NONE) continue;
    const { cells, border } = regionOf(board, cell);
    const liberties = border.filter((near) => board[near] === 0);
    for (const one of cells) {
      groups[one] = cell;
      if (liberties.length === 1) last[one] = liberties[0] ?? NONE;
    }
  }
  return { groups, last };
}

/** The board after a stone, without the stones that it captures. */
function played(state: GameState, cell: number): GameState {
  const stone = stoneOf(at(state, MOVER));
  const isCaptured = (other: number) =>
    at(state, other) === -stone && at(state, LAST_LIBERTY + other) === cell;
  return boardOf(state).map((old, other) => (other === cell ? stone : isCaptured(other) ? 0 : old));
}

/** Whether a stone on an empty cell has a liberty after what it captures, and makes a board that the game did not have. */
function isLegal(state: GameState, cell: number): boolean {
  if (at(state, cell) !== 0) return false;
  const stone = stoneOf(at(state, MOVER));
  const breathes = (NEIGHBOURS[cell] ?? []).some((near) => {
    if (at(state, near) === 0) return true;
    return (at(state, near) === stone) === (at(state, LAST_LIBERTY + near) === NONE);
  });
  if (!breathes) return false;
  const [low, high] = codeOf(played(state, cell));
  for (let move = 0; move < MAX_MOVES; move++)
    if (at(state, BOARDS + move) === low && at(state, BOARDS + MAX_MOVES + move) === high) return false;
  return true;
}

function next(state: GameState, action: number): GameState {
  const passes = action === PASS;
  const board = passes ? boardOf(state) : played(state, action);
  const { groups, last } = groupsOf(board);
  const moves = at(state, MOVES) + 1;
  const [low, high] = codeOf(board);
  const boards = state.slice(BOARDS, MOVES);
  const kept = moves < MAX_MOVES ? boards.with(moves, low).with(MAX_MOVES + moves, high) : boards;
  return [
    ...board,
    ...groups,
    ...last,
    ...kept,
    moves,
    passes ? at(state, PASSES) + 1 : 0,
    1 - at(state, MOVER),
  ];
}

/**
 * Go on 5 by 5 crossings with area scoring. A move may not make a board that the game had before (positional superko),
 * and no stone may be played where its group would have no liberty. Two passes end the game.
 *
 * @param komi Points that the second player gets.
 */
export const go5x5 = (komi: number): GameRules => ({
  id: "rlkit/Go5x5",
  players: PLAYERS,
  observation_space: new Box({ low: 0, high: 1, shape: [SIZE, SIZE, PLANES] }),
  action_space: new Discrete(CELLS + 1),
  max_moves: MAX_MOVES,
  start: [
    ...Array.from({ length: CELLS }, () => 0),
    ...Array.from({ length: 2 * CELLS }, () => NONE),
    ...Array.from({ length: HISTORY }, (_, place) => (place % MAX_MOVES === 0 ? 0 : NONE)),
    0,
    0,
    0,
  ],
  player: (state) => at(state, MOVER),
  legal(state) {
    if (at(state, PASSES) >= 2) return [];
    const cells = Array.from({ length: CELLS }, (_, cell) => cell);
    return [...cells.filter((cell) => isLegal(state, cell)), PASS];
  },
  next,
  returns(state) {
    if (at(state, PASSES) < 2) return null;
    const won = Math.sign(areaOf(boardOf(state)) - komi);
    return [won, won === 0 ? 0 : -won];
  },
  observe: (state, player) => {
    const passed = Number(at(state, PASSES) > 0);
    const stone = stoneOf(player);
    return boardOf(state).flatMap((own) => [
      Number(own === stone),
      Number(own === -stone),
      passed,
      Number(player === 0),
    ]);
  },
  symmetries: squareSymmetries(SIZE, 1),
  actionName: (action) => (action === PASS ? "pass" : cellName(action, GRID)),
});
