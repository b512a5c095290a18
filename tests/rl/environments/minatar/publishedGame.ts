/**
 * The MinAtar games as plain programs over cells and lists, written from their published rules (Young and Tian 2019,
 * arXiv 1903.03176, and the behaviour of version 1.0.15 of its package) and apart from the library's tensor programs.
 */
export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
}

/** One game under way. */
export interface PublishedGame {
  /** One step with a key. `draws`: uniform numbers for what is random in it. */
  press(key: string, draws: readonly number[]): Outcome;
  /** The state as the library lays it out, without the last action. */
  state(): number[];
  /** Whether a channel's cell is occupied. */
  occupied(channel: string, x: number, y: number): boolean;
}

export interface PublishedRules {
  readonly channels: readonly string[];
  readonly keys: readonly string[];
  /** A new game. */
  begin(draws: readonly number[]): PublishedGame;
  /** The same state with its slots in a fixed order, where the order means nothing. */
  readonly ordered?: (state: readonly number[]) => number[];
  /** The game whose state is laid out as `state()` does. */
  restore(state: readonly number[]): PublishedGame;
}

export type Cells = boolean[][];

export const COLUMNS: readonly number[] = Array.from({ length: 10 }, (_, i) => i);

/** Rows as bits -> cells[y][x]. */
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

/** Takes numbers one after another from a state. */
export function reader(state: readonly number[]): { one(): number; many(count: number): number[] } {
  let at = 0;
  const many = (count: number): number[] => {
    at += count;
    return state.slice(at - count, at);
  };
  return { one: () => many(1)[0] as number, many };
}

/** A whole number from 0 to count - 1 from a uniform one. */
export const pick = (draw: number | undefined, count: number): number => Math.floor((draw ?? 0) * count);
