import { statSync } from "node:fs";

/** Looks at a file in the time in which it must change. */
const LOOKS = 20;

/**
 * Calls back once when a file, there or not, stays as it is for `ms` milliseconds. Looks are counted, not the clock's time,
 * so that a machine that slept is not taken for a tool that hangs.
 *
 * @param {string} file
 * @param {number} ms
 * @param {() => void} act
 * @returns {() => void} ends the watch
 */
export function whenUnchanged(file, ms, act) {
  let known = -1;
  let looks = 0;
  const timer = setInterval(() => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    looks = size === known ? looks + 1 : 0;
    known = size;
    if (looks < LOOKS) return;
    clearInterval(timer);
    act();
  }, ms / LOOKS);
  return () => clearInterval(timer);
}
