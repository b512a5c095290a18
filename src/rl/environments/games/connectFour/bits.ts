/**
 * Positions of Connect Four as bits in two words: columns of seven bits, the lowest cell first and an empty bit on top. The
 * low word has the first four columns, the high word the last three.
 */

import type { GameState } from "../../face/GameRules.ts";
import { stoneOf } from "../boards.ts";
import { CELLS, connectFour, GRID } from "./rules.ts";

const { rows, cols } = GRID;
const HEIGHT = rows + 1;
const LOW_COLUMNS = 4;
const LOW_BITS = LOW_COLUMNS * HEIGHT;
const LOW = (1 << LOW_BITS) - 1;

const repeated = (bits: number, columns: number): number =>
  Array.from({ length: columns }, (_, i) => bits << (i * HEIGHT)).reduce((a, b) => a | b, 0);
/** All cells of the low and of the high word. */
export const BOARD_LOW = repeated((1 << rows) - 1, LOW_COLUMNS);
export const BOARD_HIGH = repeated((1 << rows) - 1, cols - LOW_COLUMNS);
const BOTTOM_LOW = repeated(1, LOW_COLUMNS);
const BOTTOM_HIGH = repeated(1, cols - LOW_COLUMNS);

/** The cells of a column in its word. */
export const isLow = (column: number): boolean => column < LOW_COLUMNS;
export const columnBits = (column: number): number =>
  ((1 << rows) - 1) << (HEIGHT * (isLow(column) ? column : column - LOW_COLUMNS));

/** The stones of the player on move, and of both players. */
export interface Position {
  readonly ownLow: number;
  readonly ownHigh: number;
  readonly allLow: number;
  readonly allHigh: number;
  readonly stones: number;
}

export function positionOf(state: GameState): Position {
  const own = stoneOf(connectFour.player(state));
  const found = { ownLow: 0, ownHigh: 0, allLow: 0, allHigh: 0, stones: 0 };
  for (let cell = 0; cell < CELLS; cell++) {
    const stone = state[cell] ?? 0;
    if (stone === 0) continue;
    const [row, column] = [rows - 1 - Math.floor(cell / cols), cell % cols];
    const low = isLow(column);
    const bit = 1 << (row + HEIGHT * (low ? column : column - LOW_COLUMNS));
    found.stones++;
    if (low) found.allLow |= bit;
    else found.allHigh |= bit;
    if (stone !== own) continue;
    if (low) found.ownLow |= bit;
    else found.ownHigh |= bit;
  }
  return found;
}

/** The lowest empty cell of each column that is not full. */
export const playableLow = (allLow: number): number => (allLow + BOTTOM_LOW) & BOARD_LOW;
export const playableHigh = (allHigh: number): number => (allHigh + BOTTOM_HIGH) & BOARD_HIGH;

const upLow = (low: number, by: number): number => (low << by) & LOW;
const upHigh = (low: number, high: number, by: number): number => (high << by) | (low >>> (LOW_BITS - by));
const downLow = (low: number, high: number, by: number): number =>
  (low >>> by) | ((high << (LOW_BITS - by)) & LOW);

/** Cells that complete a line of four in one direction: with three stones on one side, or on both. */
function endsLow(low: number, high: number, step: number): number {
  const [up, down] = [upLow(low, step), downLow(low, high, step)];
  const [ups, downs] = [up & upLow(low, 2 * step), down & downLow(low, high, 2 * step)];
  return (ups & (upLow(low, 3 * step) | down)) | (downs & (up | downLow(low, high, 3 * step)));
}

function endsHigh(low: number, high: number, step: number): number {
  const [up, down] = [upHigh(low, high, step), high >>> step];
  const [ups, downs] = [up & upHigh(low, high, 2 * step), down & (high >>> (2 * step))];
  return (ups & (upHigh(low, high, 3 * step) | down)) | (downs & (up | (high >>> (3 * step))));
}

const upright = (word: number): number => (word << 1) & (word << 2) & (word << 3);

/** Cells, empty or not, that complete a line of four with the given stones. */
export const threatsLow = (low: number, high: number): number =>
  (upright(low) |
    endsLow(low, high, HEIGHT - 1) |
    endsLow(low, high, HEIGHT) |
    endsLow(low, high, HEIGHT + 1)) &
  BOARD_LOW;
export const threatsHigh = (low: number, high: number): number =>
  (upright(high) |
    endsHigh(low, high, HEIGHT - 1) |
    endsHigh(low, high, HEIGHT) |
    endsHigh(low, high, HEIGHT + 1)) &
  BOARD_HIGH;

/** Number of set bits. */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
