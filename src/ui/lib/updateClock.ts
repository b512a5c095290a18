import { useEffect, useRef, useState } from "react";

/** Batches many changes into few page updates. */
export interface UpdateClock {
  /** Requests an update; several requests within an interval become one. */
  request(): void;
  /** Cancels a pending request. The clock must not be used afterwards. */
  stop(): void;
}

/** Milliseconds between updates of live views: at most four per second. */
const UPDATE_INTERVAL = 250;

/**
 * Calls `update` at most once per interval: without delay after an interval without updates, and never while
 * the page is hidden. A hidden page catches up when it becomes visible again.
 *
 * @param interval milliseconds between two updates
 */
export function createUpdateClock(update: () => void, interval: number = UPDATE_INTERVAL): UpdateClock {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wanted = false;
  let last = Number.NEGATIVE_INFINITY;

  const run = (): void => {
    timer = undefined;
    if (!wanted || document.hidden) return;
    wanted = false;
    last = performance.now();
    update();
  };
  const schedule = (): void => {
    if (timer !== undefined || document.hidden) return;
    timer = setTimeout(run, Math.max(0, last + interval - performance.now()));
  };
  const seen = (): void => {
    if (wanted) schedule();
  };

  document.addEventListener("visibilitychange", seen);

  return {
    request: () => {
      wanted = true;
      schedule();
    },
    stop: () => {
      wanted = false;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}

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
