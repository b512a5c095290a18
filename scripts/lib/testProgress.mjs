/**
 * What a run of Vitest comes to, also one that is killed: a reporter writes down at once which tests and files begin and end,
 * a line of JSON each, and the lines are counted afterwards. RLKIT_TEST_PROGRESS names the file.
 */
import { appendFileSync } from "node:fs";

/** @import { Reporter } from "vitest/node" */

/**
 * A file, or a test in it, begins or ends; or all of them have ended.
 *
 * @typedef {{ begun: string, test?: string }} Begun
 * @typedef {{ ended: string, test?: string, state: string, errors?: readonly string[], seconds?: number }} Ended
 * @typedef {Begun | Ended | { over: true }} ProgressLine
 */

const file = process.env.RLKIT_TEST_PROGRESS ?? "";

/** @param {ProgressLine} line */
const note = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

/** @param {readonly { stack?: string, message: string }[]} [errors] */
const textsOf = (errors = []) => errors.map(({ stack, message }) => stack || message);

/** @implements {Reporter} */
export default class ProgressReporter {
  /** @type {NonNullable<Reporter["onTestModuleQueued"]>} */
  onTestModuleQueued(module) {
    note({ begun: module.relativeModuleId });
  }

  /** @type {NonNullable<Reporter["onTestModuleEnd"]>} */
  onTestModuleEnd(module) {
    const { collectDuration, duration, setupDuration } = module.diagnostic();
    note({
      ended: module.relativeModuleId,
      state: module.state(),
      errors: textsOf(module.errors()),
      seconds: (collectDuration + duration + setupDuration) / 1000,
    });
  }

  /** @type {NonNullable<Reporter["onTestCaseReady"]>} */
  onTestCaseReady(test) {
    note({ begun: test.module.relativeModuleId, test: test.fullName });
  }

  /** @type {NonNullable<Reporter["onTestCaseResult"]>} */
  onTestCaseResult(test) {
    const { state, errors } = test.result();
    note({ ended: test.module.relativeModuleId, test: test.fullName, state, errors: textsOf(errors) });
  }

  /** @type {NonNullable<Reporter["onTestRunEnd"]>} */
  onTestRunEnd() {
    note({ over: true });
  }
}

/** Seconds that each file took. @param {readonly ProgressLine[]} lines */
export const secondsOf = (lines) =>
  Object.fromEntries(
    lines.flatMap((line) =>
      "ended" in line && line.seconds !== undefined ? [[line.ended, Math.round(line.seconds * 10) / 10]] : [],
    ),
  );

/** Lines of a failure's message that are repeated at the end of a run. */
const MOST_LINES = 12;

/** @param {string} place @param {readonly string[]} [errors] */
const told = (place, errors = []) =>
  [place, ...errors.flatMap((text) => text.split("\n")).slice(0, MOST_LINES)].join("\n    ");

/**
 * Counts the tests of a run. What fails outside a test counts as one failure: a file that could not be loaded, an error after
 * the tests, or no test at all. What was running when the run was killed counts as failed, and so does the run where nothing
 * was. Of a file that let no word out before it hung, the file is named.
 *
 * @param {readonly ProgressLine[]} lines
 * @param {number} exitCode of the run
 */
export function outcomeOf(lines, exitCode) {
  let [passed, failed] = [0, 0];
  /** @type {string[]} */
  const failures = [];
  /** @type {Map<string, { running: Set<string>, failed: boolean }>} */
  const files = new Map();
  /** @param {string} place @param {Ended} line */
  const fail = (place, { errors }) => {
    failed++;
    failures.push(told(place, errors));
  };
  for (const line of lines) {
    if ("over" in line) continue;
    const name = "begun" in line ? line.begun : line.ended;
    const known = files.get(name) ?? { running: new Set(), failed: false };
    if ("begun" in line) {
      files.set(name, known);
      if (line.test !== undefined) known.running.add(line.test);
    } else if (line.test === undefined) {
      files.delete(name);
      if (line.state === "failed" && !known.failed) fail(name, line);
    } else {
      known.running.delete(line.test);
      if (line.state === "passed") passed++;
      if (line.state !== "failed") continue;
      known.failed = true;
      fail(`${name} > ${line.test}`, line);
    }
  }
  const isOver = lines.some((line) => "over" in line);
  if (isOver) return { passed, failed: failed || (exitCode !== 0 || passed === 0 ? 1 : 0), failures };
  const running = [...files].flatMap(([name, { running: tests }]) =>
    tests.size > 0 ? [...tests].map((test) => `${name} > ${test}`) : [name],
  );
  failures.push(...running.map((test) => `${test} (was running)`));
  return { passed, failed: failed + Math.max(1, running.length), failures, running };
}
