import { useEffect, useRef } from "react";
import { bindShortcut } from "./shortcuts.ts";

/** Lets a key, or a pair such as "g r", do something while the component is shown; null lets it do nothing. */
export function useShortcut(keys: string, act: (() => void) | null): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const bound = act !== null;
  useEffect(() => (bound ? bindShortcut(keys, () => latest.current?.()) : undefined), [keys, bound]);
}
