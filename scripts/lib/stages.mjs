/** Runs the stages of a check one after another, within one limit for all of them, and counts what passed and failed. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { countProgress, countTests } from "./report.mjs";
import { endToolsOn, runTool } from "./tools.mjs";

/** @import { ProgressLine } from "./report.mjs" */

/**
 * A stage's outcome: how many of its checks passed and failed.
 *
 * @typedef {{ passed: number, failed: number }} Outcome
 */

/**
 * @param {boolean} passed
 * @returns {Outcome}
 */
export const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });

/**
 * Runs all stages, also after one that failed. Once `limit` is given, the tools of the stage under way are killed, and
 * the later ones count as one failure each. The last line reads `N passed, N failed`.
 *
 * @param {Readonly<Record<string, () => Promise<Outcome>>>} stages
 * @param {AbortSignal} limit
 * @returns {Promise<Outcome>}
 */
export async function runStages(stages, limit) {
  endToolsOn(limit);
  limit.addEventListener("abort", () => console.error(`\nThe time for all checks is up: ${limit.reason}.`));
  const total = { passed: 0, failed: 0 };
  const summary = [];
  for (const [name, run] of Object.entries(stages)) {
    if (limit.aborted) {
      total.failed += 1;
      summary.push(`${name.padEnd(8)} 0 passed, 1 failed (not begun: the time was up)`);
      continue;
    }
    console.log(`\n== ${name}`);
    const started = performance.now();
    const result = await run().catch((error) => {
      console.error(error);
      return one(false);
    });
    total.passed += result.passed;
    total.failed += result.failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    summary.push(`${name.padEnd(8)} ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  }
  console.log(`\n${summary.join("\n")}\n`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total;
}

/**
 * Runs Vitest and counts its tests; none at all is a failure. When it is killed, the tests that were running are named.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} [options] the repository unless given
 * @returns {Promise<Outcome>}
 */
export async function vitest(args, options) {
  const folder = mkdtempSync(path.join(tmpdir(), "rlkit-test-"));
  const report = path.join(folder, "report.json");
  const progress = path.join(folder, "progress.jsonl");
  try {
    const reporters = [
      "--reporter=default",
      "--reporter=json",
      `--reporter=${fileURLToPath(new URL("progressReporter.mjs", import.meta.url))}`,
      `--outputFile.json=${report}`,
    ];
    const env = { RLKIT_TEST_PROGRESS: progress };
    const code = await runTool("vitest", ["run", ...reporters, ...args], { ...options, env });
    const finished = readText(report);
    if (code === 0 || finished !== "")
      return countTests(finished === "" ? undefined : JSON.parse(finished), code);
    const { running, ...counts } = countProgress(progressLines(readText(progress)));
    console.error(["Vitest ended before its tests did. Still running:", ...running].join("\n  "));
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/**
 * @param {string} text
 * @returns {ProgressLine[]} without a last line that was not written to its end
 */
const progressLines = (text) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
