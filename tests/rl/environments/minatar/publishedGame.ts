/**
 * The MinAtar games as plain programs over cells and lists, written from their published rules (Young and Tian 2019,
 * arXiv 1903.03176, and the behaviour of version 1.0.15 of the package), independently of the library's
 * tensor programs.
 */
export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
}

/** A game in progress. */
export interface PublishedGame {
  /** Takes one step with a key. `draws`: uniform numbers for the random parts of the step. */
  press(key: string, draws: readonly number[]): Outcome;
  /** The state in the library's layout, without the last action. */
  state(): number[];
  /** Whether a channel's cell is occupied. */
  occupied(channel: string, x: number, y: number): boolean;
}

export interface PublishedRules {
  readonly channels: readonly string[];
  readonly keys: readonly string[];
  /** Starts a new game. */
  begin(draws: readonly number[]): PublishedGame;
  /** The same state with its slots in a canonical order, if their order has no meaning. */
  readonly ordered?: (state: readonly number[]) => number[];
  /** Restores a game from a state in the layout of `state()`. */
  restore(state: readonly number[]): PublishedGame;
}

export type Cells = boolean[][];

export const COLUMNS: readonly number[] = Array.from({ length: 10 }, (_, i) => i);

/** Converts rows as bits to cells[y][x]. */
export const toCells = (rows: readonly number[]): Cells =>
  rows.map((row) => COLUMNS.map((x) => Math.floor(row / 2 ** x) % 2 === 1));

/** The inverse of `toCells`. */
export const toRows = (cells: Cells): number[] =>
  cells.map((row) => row.reduce((bits, set, x) => bits + (set ? 2 ** x : 0), 0));

export const noCells = (): Cells => COLUMNS.map(() => COLUMNS.map(() => false));

export const cellAt = (cells: Cells, x: number, y: number): boolean => cells[y]?.[x] ?? false;

export function setCell(cells: Cells, x: number, y: number, value: boolean): void {
  const row = cells[y];
  if (row && x >= 0 && x < 10) row[x] = value;
}

export const countCells = (cells: Cells): number => cells.flat().filter(Boolean).length;

/** Reads numbers from a state in order. */
export function reader(state: readonly number[]): { one(): number; many(count: number): number[] } {
  let at = 0;
  const many = (count: number): number[] => {
    at += count;
    return state.slice(at - count, at);
  };
  return { one: () => many(1)[0] as number, many };
}

/** Maps a uniform number to an integer from 0 to count - 1. */
export const pick = (draw: number | undefined, count: number): number => Math.floor((draw ?? 0) * count);
