import { useEffect, useRef } from "react";
import { bindShortcut } from "./shortcuts.ts";

/** Binds a function to a key or a pair such as "g r" while the component is mounted; null binds nothing. */
export function useShortcut(keys: string, act: (() => void) | null): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const bound = act !== null;
  useEffect(() => (bound ? bindShortcut(keys, () => latest.current?.()) : undefined), [keys, bound]);
}
