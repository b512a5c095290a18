/** Bundles many changes into few updates of the page. */
export interface UpdateClock {
  /** Asks for an update; several requests within an interval become one. */
  request(): void;
  /** Drops what was asked for; the clock is not used again. */
  stop(): void;
}

/** Updates of live views: at most four a second. */
export const UPDATE_INTERVAL = 250;

/**
 * Calls `update` at most once an interval, right away after a calm one, and not while the page is hidden: a
 * hidden page catches up when it is seen again.
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
