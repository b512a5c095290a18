/**
 * `npm test -- --changed`: the tests that a change can reach, nearest first, as many as fit into a few minutes. A line in an
 * algorithm reaches three quarters of all tests, since manifests, the command and the workbench know all algorithms; those
 * that say most of it are in its own room and name it.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./environment.mjs";
import { distances, git, repositoryFiles, usersOf } from "./importGraph.mjs";

/** Seconds of test files, summed over those that run at the same time, that `--changed` spends. */
const SECONDS = 150;
/** What a file counts whose time is not written down, because it is short. */
const SHORT = 1;

const UNIT_OR_BROWSER = /^tests\/(?!e2e\/|published\/).*\.test\.tsx?$/;

/** Seconds of the slowest test files, by path. @type {Readonly<Record<string, number>>} */
const slowFiles = JSON.parse(readFileSync(path.join(root, "tests/support/slowFiles.json"), "utf8"));

/**
 * Files that differ from where this branch left `main`, or on main itself from what was last fetched or committed.
 *
 * @returns {string[]} relative to the root, without those that were deleted
 */
export function changedFiles() {
  const onMain = git("branch", "--show-current")[0] === "main";
  const main = onMain ? "origin/main" : "main";
  const hasMain = git(
    "for-each-ref",
    "--format=%(refname:short)",
    `refs/heads/${main}`,
    `refs/remotes/${main}`,
  );
  const [base = "HEAD"] = hasMain.length > 0 ? git("merge-base", main, "HEAD") : [];
  const changed = [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
  return [...new Set(changed)].filter((file) => existsSync(path.join(root, file)));
}

/** @param {string} file */
const roomOf = (file) => file.replace(/^(?:src|platform\/src)\//, "").split("/")[0] ?? "";

/**
 * The tests to run after a change.
 *
 * @param {readonly string[]} changed
 * @returns {{ chosen: string[], reached: number }} `reached`: how many tests the change can reach
 */
export function changedTests(changed) {
  const files = repositoryFiles();
  const reach = distances(changed, usersOf(files));
  const reached = [...reach.keys()].filter((file) => UNIT_OR_BROWSER.test(file));
  const rooms = new Set(changed.map(roomOf));
  const names = changed.map((file) => path.posix.basename(file).replace(/\..*$/, ""));
  const word = new RegExp(`\\b(?:${names.map((name) => name.replaceAll(/[^\w]/g, ".")).join("|")})\\b`);
  const rank = (/** @type {string} */ test) => [
    changed.includes(test) ? 0 : 1,
    word.test(path.posix.basename(test)) ? 0 : 1,
    rooms.has(test.split("/").find((part) => !["tests", "browser"].includes(part)) ?? "") ? 0 : 1,
    word.test(readFileSync(path.join(root, test), "utf8")) ? 0 : 1,
    reach.get(test) ?? 0,
    slowFiles[test] ?? SHORT,
  ];
  const ranked = reached.map((test) => ({ test, rank: rank(test) }));
  ranked.sort((a, b) => a.rank.map((value, i) => value - (b.rank[i] ?? 0)).find((by) => by !== 0) ?? 0);
  let left = SECONDS;
  const chosen = ranked.flatMap(({ test }) => {
    const seconds = slowFiles[test] ?? SHORT;
    if (seconds > left) return [];
    left -= seconds;
    return [test];
  });
  return { chosen, reached: reached.length };
}
