/** Tells whether a built folder is newer than everything that it was made from. */
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { root } from "./environment.mjs";

/**
 * The time of the last change at or below a place; 0 when there is nothing.
 *
 * @param {string} place
 * @returns {number}
 */
const newest = (place) => {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  // A folder's own time tells of files that were removed.
  return readdirSync(place).reduce(
    (time, name) => Math.max(time, newest(path.join(place, name))),
    found.mtimeMs,
  );
};

/**
 * @param {string} output a file that the build writes last, relative to the root
 * @param {readonly string[]} sources files and folders, relative to the root; absent ones do not count
 */
export function isFresh(output, sources) {
  const built = path.join(root, output);
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  return sources.every((source) => newest(path.join(root, source)) <= builtAt);
}
