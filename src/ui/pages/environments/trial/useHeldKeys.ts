import { useEffect, useRef } from "react";
import type { Space } from "../../../../rl/spaces.ts";
import { holdKeys } from "./heldKeys.ts";

/** The keys of a space that are held down while `space` is not null. */
export function useHeldKeys(space: Space | null): { readonly current: ReadonlySet<string> } {
  const held = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (space === null) return undefined;
    return holdKeys(space, (keys) => {
      held.current = keys;
    });
  }, [space]);
  return held;
}
