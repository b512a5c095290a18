import { type KeyboardEvent, useRef, useState } from "react";
import type { Advice } from "../../stage/stageProtocol.ts";
import { boardCells, boardStyle, cellBeside, rowStyle } from "./boardCells.ts";
import type { GameGrid } from "./gameGrid.ts";
import type { Match } from "./match.ts";

interface Props {
  readonly match: Match;
  readonly grid: GameGrid;
  /** What the opponent thinks of the moves; null for no hints. */
  readonly advice: Advice | null;
  readonly onMove: (action: number) => void;
}

/** A board of stones. The user moves by pressing a cell; arrow keys move between cells. */
export function GameBoard({ match, grid, advice, onMove }: Props) {
  const { board } = match.rules;
  const host = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(0);
  const cells = boardCells(match, grid, advice);
  const steer = (event: KeyboardEvent): void => {
    const cell = cellBeside(grid, focused, event.key);
    if (cell === null) return;
    event.preventDefault();
    setFocused(cell);
    host.current?.querySelectorAll<HTMLElement>("button")[cell]?.focus();
  };
  return (
    <table
      ref={host}
      className="board"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys move between its cells, as in a grid of ARIA
      role="grid"
      aria-label="Board"
      data-board={board}
      style={boardStyle(grid, board)}
    >
      <tbody>
        {Array.from({ length: grid.rows }, (_row, row) => (
          <tr key={row} style={rowStyle(grid, board, row)}>
            {cells.slice(row * grid.cols, (row + 1) * grid.cols).map((cell, col) => {
              const { stone, isLast, press, target, rating, visits, label } = cell;
              const place = row * grid.cols + col;
              return (
                <td key={place}>
                  <button
                    type="button"
                    aria-label={label}
                    aria-disabled={press === null}
                    tabIndex={place === focused ? 0 : -1}
                    onFocus={() => setFocused(place)}
                    onKeyDown={steer}
                    onClick={() => press !== null && onMove(press)}
                  >
                    {stone !== null && (
                      <span className="board__stone" data-player={stone} data-last={isLast || undefined} />
                    )}
                    {target !== null && rating === null && <span className="board__legal" />}
                    {rating !== null && (
                      <span className="board__rating tiny" data-best={advice?.action === target || undefined}>
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
