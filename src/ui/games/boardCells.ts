/** What each cell of a board shows and says. */
import type { Advice } from "../../stage/stageProtocol.ts";
import { filledCell, type GameGrid } from "./gameGrid.ts";
import { ratingText } from "./gameText.ts";
import { isOwnTurn, legalIn, type Match } from "./match.ts";

export interface BoardCell {
  /** Index of the player whose stone it has; null for none. */
  readonly stone: number | null;
  readonly isLast: boolean;
  /** The user's move if the cell is pressed; null if that is illegal. */
  readonly press: number | null;
  /** The legal action that would fill the cell; null for none. */
  readonly target: number | null;
  /** How the opponent rates that action, and how often it looked at it; null without hints. */
  readonly rating: string | null;
  readonly visits: number | null;
  /** For screen readers. */
  readonly label: string;
}

/** @param advice What the opponent thinks of the moves; null for no hints. */
export function boardCells(match: Match, grid: GameGrid, advice: Advice | null): readonly BoardCell[] {
  const { rules, state, seat, turns } = match;
  const { rows, cols, actionAt } = grid;
  const stones = grid.stones(state);
  const last = turns.at(-1);
  const lastCell = last ? filledCell(grid, grid.stones(last.state), stones, last.action) : null;
  const legal = isOwnTurn(match) ? legalIn(match) : [];
  const targets = new Map(
    legal.map((action) => [
      stones.findLastIndex((stone, cell) => stone === null && actionAt(cell) === action),
      action,
    ]),
  );
  const nameOf = (cell: number): string => {
    const name = rules.actionName(actionAt(cell));
    return rules.action_space.n === cols ? `${name}${rows - Math.floor(cell / cols)}` : name;
  };
  return stones.map((stone, cell) => {
    const target = targets.get(cell) ?? null;
    const value = target === null ? null : (advice?.ratings?.values[target] ?? null);
    const rating = value === null || !advice?.ratings ? null : ratingText(advice.ratings.kind, value);
    const visits = target === null ? null : (advice?.search?.visits[target] ?? null);
    const press = legal.includes(actionAt(cell)) ? actionAt(cell) : null;
    const content = stone === null ? "empty" : stone === seat ? "your stone" : "opponent's stone";
    const label = [
      nameOf(cell),
      content,
      ...(cell === lastCell ? ["last move"] : []),
      ...(press === null ? [] : ["legal move"]),
      ...(rating === null ? [] : [rating]),
      ...(visits === null ? [] : [`looked at ${visits}`]),
    ].join(", ");
    return { stone, isLast: cell === lastCell, press, target, rating, visits, label };
  });
}

/** Rows and columns that an arrow key moves the focus by. */
const ARROWS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The cell that a key moves the focus to; null for other keys. */
export function cellBeside({ rows, cols }: GameGrid, cell: number, key: string): number | null {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const row = Math.min(rows - 1, Math.max(0, Math.floor(cell / cols) + arrow[0]));
  const col = Math.min(cols - 1, Math.max(0, (cell % cols) + arrow[1]));
  return row * cols + col;
}

/** Styles of a board and its rows: rows of hexagons lie half a cell further right than those above. */
export const boardStyle = ({ rows, cols }: GameGrid, board: Match["rules"]["board"]) => ({
  maxWidth: `min(${cols * 6}rem, 34rem)`,
  ...(board && { width: `${(200 * cols) / (2 * cols + rows - 1)}%` }),
});
export const rowStyle = ({ cols }: GameGrid, board: Match["rules"]["board"], row: number) => ({
  ...(board && { transform: `translateX(${(50 * row) / cols}%)` }),
});
