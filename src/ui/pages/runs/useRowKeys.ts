import { useCallback, useRef, useState } from "react";
import { useShortcut } from "../../lib/shortcuts.ts";

interface Rows {
  readonly count: number;
  /** The run of a line; null for a group header. */
  readonly idAt: (line: number) => string | null;
  readonly onSelect: (id: string) => void;
  readonly scrollTo: (line: number) => void;
}

/** Keyboard navigation: `j` and `k` move between rows, `x` selects the active row. */
export function useRowKeys({ count, idAt, onSelect, scrollTo }: Rows): {
  /** Line of the active row; null for none. */
  active: number | null;
  activate: (line: number) => void;
  /** Returns whether the active row should take the focus: true once after a key moved to it. */
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
