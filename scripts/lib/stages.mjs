/** Runs the stages of a check within one limit for all of them, and counts what passed and failed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { outcomeOf, secondsOf } from "./testProgress.mjs";
import { endToolsOn, holdOutput, runTool } from "./tools.mjs";

/**
 * A stage's outcome: how many of its checks passed and failed, and where it is known, which failed, and the seconds of each
 * test file.
 *
 * @typedef {{ passed: number, failed: number, failures?: readonly string[], seconds?: Readonly<Record<string, number>> }} Outcome
 */

/**
 * @param {boolean} passed
 * @returns {Outcome}
 */
export const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });

/** @typedef {Readonly<Record<string, () => Promise<Outcome>>>} Stages */

/**
 * Runs all stages one after another, also after one that failed, and at the same time those of each group `beside` them,
 * also one after another; what these print follows at the end. Where all of one group have ended, those beside that have not
 * begun run in their place. Once `limit` is given, the tools of the stages under way are killed, and the later ones count as one failure
 * each. What failed is named again at the end, where a log that was cut still has it. The last line reads `N passed, N failed`.
 *
 * @param {Stages} stages
 * @param {AbortSignal} limit
 * @param {...Stages} beside
 * @returns {Promise<Outcome>}
 */
export async function runStages(stages, limit, ...beside) {
  endToolsOn(limit);
  limit.addEventListener("abort", () => console.error(`\nThe time for all checks is up: ${limit.reason}.`));
  /** @type {Map<string, Awaited<ReturnType<typeof runStage>>>} */
  const outcomes = new Map();
  /**
   * @param {[string, () => Promise<Outcome>][]} queue
   * @param {Buffer[]} [into]
   */
  const runAll = async (queue, into) => {
    const next = () => queue.shift() ?? waiting.find((group) => group.length > 0)?.shift();
    for (let stage = next(); stage !== undefined; stage = next())
      outcomes.set(stage[0], await runStage(stage, limit, into));
  };
  const waiting = beside.map((group) => Object.entries(group));
  const others = waiting.map((group) => {
    /** @type {Buffer[]} */
    const pieces = [];
    return { pieces, ended: holdOutput(pieces, () => runAll(group, pieces)) };
  });
  await runAll(Object.entries(stages));
  for (const { ended, pieces } of others) {
    await ended;
    process.stdout.write(Buffer.concat(pieces));
  }
  const summary = Object.keys(Object.assign({}, stages, ...beside)).flatMap(
    (name) => outcomes.get(name) ?? [],
  );
  const total = summary.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  });
  const failures = summary.flatMap((outcome) => outcome.failures ?? []);
  sayDurations(Object.assign({}, ...summary.map(({ seconds }) => seconds)));
  if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join("\n  ")}`);
  console.log(`\n${summary.map(({ line }) => line).join("\n")}\n`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total;
}

/** How many of the slowest files are named. */
const SLOWEST = 10;

/** Names the slowest files, and writes the seconds of all to test-results/durations.json. @param {Record<string, number>} seconds */
function sayDurations(seconds) {
  const files = Object.entries(seconds).sort((a, b) => b[1] - a[1]);
  if (files.length < SLOWEST) return;
  writeFileSync("test-results/durations.json", `${JSON.stringify(Object.fromEntries(files), null, 1)}\n`);
  const lines = files.slice(0, SLOWEST).map(([file, time]) => `${time.toFixed(1).padStart(7)} s ${file}`);
  console.log(`\nSlowest files:\n${lines.join("\n")}`);
}

/**
 * @param {[string, () => Promise<Outcome>]} stage
 * @param {AbortSignal} limit
 * @param {Buffer[]} [pieces] takes what it would print itself
 * @returns {Promise<Outcome & { line: string }>} with a line that says so
 */
async function runStage([name, run], limit, pieces) {
  if (limit.aborted)
    return { ...one(false), line: `${name.padEnd(8)} 0 passed, 1 failed (not begun: the time was up)` };
  /** @param {string} text */
  const say = (text) => (pieces ? pieces.push(Buffer.from(text)) : process.stdout.write(text));
  say(`\n== ${name}\n`);
  const started = performance.now();
  const result = await run().catch((error) => {
    say(`${inspect(error)}\n`);
    return one(false);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const line = `${name.padEnd(8)} ${result.passed} passed, ${result.failed} failed (${seconds} s)`;
  return { ...result, line };
}

/** Minutes in which some test or file must begin or end. The slowest test takes less than a third of them on two cores. */
const IDLE_MINUTES = 15;

/**
 * Runs Vitest and counts its tests; none at all is a failure. When it is killed, the tests that were running are named.
 * It is killed where nothing begins or ends for long.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Readonly<Record<string, string>>, idleMinutes?: number }} [options] `cwd`: the repository
 * unless given; `idleMinutes`: 15 unless given
 * @returns {Promise<Outcome>}
 */
export async function vitest(args, { idleMinutes = IDLE_MINUTES, ...options } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "rlkit-test-"));
  const progress = path.join(folder, "progress.jsonl");
  try {
    const reporters = [
      "--reporter=default",
      `--reporter=${fileURLToPath(new URL("testProgress.mjs", import.meta.url))}`,
    ];
    const env = { ...options.env, RLKIT_TEST_PROGRESS: progress };
    const sign = {
      file: progress,
      ms: idleMinutes * 60_000,
      lost: () => console.error(`\nNo test began or ended for ${idleMinutes} minutes.`),
    };
    const code = await runTool("vitest", ["run", ...reporters, ...args], { ...options, env, sign });
    const text = existsSync(progress) ? readFileSync(progress, "utf8") : "";
    // The last line may not be whole.
    const lines = text.split("\n").slice(0, -1);
    const parsed = lines.map((line) => JSON.parse(line));
    const { running, ...outcome } = outcomeOf(parsed, code);
    if (running)
      console.error(["Vitest ended before its tests did. Still running:", ...running].join("\n  "));
    return { ...outcome, seconds: secondsOf(parsed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
