import { useEffect, useState } from "react";

/** Milliseconds between two updates: ages are shown in minutes. */
const INTERVAL = 10_000;

/** The current time, in milliseconds since the epoch, kept up to date while the page is visible. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const update = (): void => {
      if (!document.hidden) setNow(Date.now());
    };
    const timer = setInterval(update, INTERVAL);
    document.addEventListener("visibilitychange", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, []);
  return now;
}
