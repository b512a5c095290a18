import { type KeyboardEvent, useRef, useState } from "react";
import type { Advice } from "../../stage/stageProtocol.ts";
import { filledCell, type GameGrid } from "./gameGrid.ts";
import { ratingText } from "./gameText.ts";
import { isOwnTurn, legalIn, type Match } from "./match.ts";

/** Rows and columns that an arrow key moves the focus by. */
const ARROWS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Widest board. */
const MOST = "34rem";

interface Props {
  readonly match: Match;
  readonly grid: GameGrid;
  /** What the opponent thinks of the moves; null for no hints. */
  readonly advice: Advice | null;
  readonly onMove: (action: number) => void;
}

/** A board of stones. The user moves by pressing a cell; arrow keys move between cells. */
export function GameBoard({ match, grid, advice, onMove }: Props) {
  const { rules, state, seat, turns } = match;
  const { rows, cols, actionAt } = grid;
  const host = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(0);
  const stones = grid.stones(state);
  const last = turns.at(-1);
  const lastCell = last ? filledCell(grid, grid.stones(last.state), stones, last.action) : null;
  const legal = isOwnTurn(match) ? legalIn(match) : [];
  /** The cell that each legal action would fill. */
  const targets = new Map(
    legal.map((action) => [
      stones.findLastIndex((stone, cell) => stone === null && actionAt(cell) === action),
      action,
    ]),
  );
  const rated = (action: number): string | null => {
    const value = advice?.ratings?.values[action] ?? null;
    return value === null || !advice?.ratings ? null : ratingText(advice.ratings.kind, value);
  };
  const visitsOf = (action: number): number | null => advice?.search?.visits[action] ?? null;
  const nameOf = (cell: number): string => {
    const name = rules.actionName(actionAt(cell));
    return rules.action_space.n === cols ? `${name}${rows - Math.floor(cell / cols)}` : name;
  };
  const press = (cell: number): void => {
    const action = actionAt(cell);
    if (legal.includes(action)) onMove(action);
  };
  const steer = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const row = Math.min(rows - 1, Math.max(0, Math.floor(focused / cols) + arrow[0]));
    const col = Math.min(cols - 1, Math.max(0, (focused % cols) + arrow[1]));
    const cell = row * cols + col;
    setFocused(cell);
    host.current?.querySelectorAll<HTMLElement>("button")[cell]?.focus();
  };
  const labelOf = (cell: number): string => {
    const stone = stones[cell] ?? null;
    const content = stone === null ? "empty" : stone === seat ? "your stone" : "opponent's stone";
    const action = targets.get(cell);
    const rating = action === undefined ? null : rated(action);
    const visits = action === undefined ? null : visitsOf(action);
    return [
      nameOf(cell),
      content,
      ...(cell === lastCell ? ["last move"] : []),
      ...(legal.includes(actionAt(cell)) ? ["legal move"] : []),
      ...(rating === null ? [] : [rating]),
      ...(visits === null ? [] : [`looked at ${visits}`]),
    ].join(", ");
  };
  return (
    <table
      ref={host}
      className="board"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys move between its cells, as in a grid of ARIA
      role="grid"
      aria-label="Board"
      data-board={rules.board}
      style={{
        maxWidth: `min(${cols * 6}rem, ${MOST})`,
        ...(rules.board && { width: `${(200 * cols) / (2 * cols + rows - 1)}%` }),
      }}
    >
      <tbody>
        {Array.from({ length: rows }, (_row, row) => (
          <tr key={row} style={rules.board && { transform: `translateX(${(50 * row) / cols}%)` }}>
            {Array.from({ length: cols }, (_col, col) => {
              const cell = row * cols + col;
              const stone = stones[cell] ?? null;
              const action = targets.get(cell);
              const rating = action === undefined ? null : rated(action);
              const visits = action === undefined ? null : visitsOf(action);
              return (
                <td key={col}>
                  <button
                    type="button"
                    aria-label={labelOf(cell)}
                    aria-disabled={!legal.includes(actionAt(cell))}
                    tabIndex={cell === focused ? 0 : -1}
                    onFocus={() => setFocused(cell)}
                    onKeyDown={steer}
                    onClick={() => press(cell)}
                  >
                    {stone !== null && (
                      <span
                        className="board__stone"
                        data-player={stone}
                        data-last={cell === lastCell || undefined}
                      />
                    )}
                    {action !== undefined && rating === null && <span className="board__legal" />}
                    {rating !== null && (
                      <span
                        className="board__rating tiny"
                        data-best={(action !== undefined && advice?.action === action) || undefined}
                      >
                        {rating}
                        {visits !== null && <span className="board__visits soft">{visits}</span>}
                      </span>
                    )}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
