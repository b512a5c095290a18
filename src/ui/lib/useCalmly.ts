import { useEffect, useRef, useState } from "react";
import { createUpdateClock, type UpdateClock } from "./updateClock.ts";

/**
 * Throttles a value that changes often, so that the user can read it.
 * @param interval milliseconds between two changes
 */
export function useCalmly<T>(value: T, interval: number): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const clock = useRef<UpdateClock | null>(null);
  useEffect(() => {
    const made = createUpdateClock(() => setShown(latest.current), interval);
    clock.current = made;
    return () => made.stop();
  }, [interval]);
  useEffect(() => {
    latest.current = value;
    clock.current?.request();
  }, [value]);
  return shown;
}
