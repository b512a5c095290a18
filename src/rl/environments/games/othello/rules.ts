import { Discrete } from "../../../spaces.ts";
import type { GridSize } from "../../dynamics/numbers.ts";
import type { GameRules, GameState } from "../../face/GameRules.ts";
import { nameFromTop, PLAYERS, seenStones, stoneOf, stonesSpace } from "../boards.ts";
import { squareSymmetries } from "../symmetries.ts";

/** Steps to the eight neighbours of a cell. */
const DIRECTIONS = [-1, 0, 1]
  .flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const))
  .filter(([down, right]) => down !== 0 || right !== 0);

/** How many moves to choose from a corner is worth. */
const CORNER = 10;

/** Cells of the opponent that a stone on a cell would turn, in one direction. */
function turnedIn(
  board: GameState,
  { rows, cols }: GridSize,
  cell: number,
  stone: number,
  [down, right]: readonly [number, number],
): number[] {
  const turned: number[] = [];
  let [row, col] = [Math.floor(cell / cols) + down, (cell % cols) + right];
  for (; row >= 0 && row < rows && col >= 0 && col < cols; row += down, col += right) {
    const found = board[row * cols + col];
    if (found === stone) return turned;
    if (found === 0) return [];
    turned.push(row * cols + col);
  }
  return [];
}

/** The first four stones: each player's on a diagonal of the centre. */
function firstBoard(size: number): number[] {
  const board = Array.from({ length: size * size }, () => 0);
  const low = size / 2 - 1;
  for (const [row, col, stone] of [
    [low, low, -1],
    [low, low + 1, 1],
    [low + 1, low, 1],
    [low + 1, low + 1, -1],
  ] as const)
    board[row * size + col] = stone;
  return board;
}

/**
 * The rules of Othello on a square board of an even size. A stone goes where it encloses opposing stones in a straight line
 * with another of its player, and turns them; who cannot move passes. The game ends when both players have passed in
 * turn or the board is full, and who has more stones wins. States: the cells row by row from the top, how many moves
 * before were passes (at most 2), and the player whose turn it is.
 */
export function othelloRules(id: string, size: number): GameRules {
  const grid = { rows: size, cols: size };
  const cells = size * size;
  const start = [...firstBoard(size), 0, 0];
  const boardOf = (state: GameState): GameState => state.slice(0, cells);
  const passesOf = (state: GameState): number => state[cells] ?? 0;
  const moverOf = (state: GameState): number => state[cells + 1] ?? 0;
  const hasEnded = (state: GameState): boolean => passesOf(state) === 2 || !boardOf(state).includes(0);
  const movesOf = (state: GameState, player: number): number[] => {
    const stone = stoneOf(player);
    const turns = (cell: number) =>
      state[cell] === 0 &&
      DIRECTIONS.some((direction) => turnedIn(state, grid, cell, stone, direction).length > 0);
    return boardOf(state).flatMap((_, cell) => (turns(cell) ? [cell] : []));
  };
  const corners = [0, size - 1, cells - size, cells - 1];
  const outlook = (state: GameState, player: number): number =>
    movesOf(state, player).length + CORNER * corners.filter((cell) => state[cell] === stoneOf(player)).length;
  return {
    id,
    players: PLAYERS,
    observation_space: stonesSpace(grid),
    action_space: new Discrete(cells + 1),
    // A pass may precede each stone, and two end the game.
    max_moves: 2 * (cells - 4) + 2,
    start,
    player: moverOf,
    legal(state) {
      if (hasEnded(state)) return [];
      const found = movesOf(state, moverOf(state));
      return found.length > 0 ? found : [cells];
    },
    next(state, action) {
      const mover = moverOf(state);
      if (action === cells) return [...boardOf(state), passesOf(state) + 1, 1 - mover];
      const stone = stoneOf(mover);
      const board = [...boardOf(state)];
      const turned = DIRECTIONS.flatMap((direction) => turnedIn(board, grid, action, stone, direction));
      for (const cell of [action, ...turned]) board[cell] = stone;
      return [...board, 0, 1 - mover];
    },
    returns(state) {
      if (!hasEnded(state)) return null;
      const result = Math.sign(boardOf(state).reduce((sum, stone) => sum + stone, 0));
      // A draw is 0 for both, not -0.
      return [result, 0 - result];
    },
    // Moves to choose from, and corners, whose stones are never turned.
    heuristic: (state, player) =>
      (outlook(state, player) - outlook(state, 1 - player)) / (cells + corners.length * CORNER),
    observe: (state, player) => seenStones(boardOf(state), player),
    // The other four rotations and reflections exchange the colours of the first stones.
    symmetries: squareSymmetries(size, 1).filter((symmetry) =>
      symmetry.cells.every((place, cell) => start[place] === start[cell]),
    ),
    actionName: (action) => (action === cells ? "pass" : nameFromTop(action, grid)),
  };
}

/** The usual board of eight by eight cells. */
export const othello = othelloRules("rlkit/Othello", 8);

/** A board of six by six cells. */
export const othello6x6 = othelloRules("rlkit/Othello6x6", 6);
