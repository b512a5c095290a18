import { useCallback, useRef, useState } from "react";
import { useShortcut } from "../../lib/useShortcut.ts";

interface Rows {
  readonly count: number;
  /** The run of a line; null for the head of a group. */
  readonly idAt: (line: number) => string | null;
  readonly onSelect: (id: string) => void;
  readonly scrollTo: (line: number) => void;
}

/** Goes from row to row with `j` and `k`, and selects with `x`. */
export function useRowKeys({ count, idAt, onSelect, scrollTo }: Rows): {
  /** Line of the row that has the keyboard; null for none. */
  active: number | null;
  activate: (line: number) => void;
  /** Whether that row is to take the focus: once, when a key went to it. */
  takesFocus: () => boolean;
} {
  const [active, activate] = useState<number | null>(null);
  const moved = useRef(false);
  const takesFocus = useCallback(() => {
    const takes = moved.current;
    moved.current = false;
    return takes;
  }, []);
  const move = (by: 1 | -1) => (): void => {
    let line = active === null ? (by === 1 ? 0 : count - 1) : active + by;
    while (line >= 0 && line < count && idAt(line) === null) line += by;
    if (line < 0 || line >= count) return;
    scrollTo(line);
    moved.current = true;
    activate(line);
  };
  useShortcut("j", move(1));
  useShortcut("k", move(-1));
  useShortcut("x", () => {
    const id = active === null ? null : idAt(active);
    if (id !== null) onSelect(id);
  });
  return { active, activate, takesFocus };
}
