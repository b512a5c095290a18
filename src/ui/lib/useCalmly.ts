import { useEffect, useRef, useState } from "react";
import { createUpdateClock, type UpdateClock } from "./updateClock.ts";

/**
 * A value that changes often, as it was at most so long ago: a person can read what is shown.
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
