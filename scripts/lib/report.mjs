/**
 * What is read of a Vitest run's JSON report.
 *
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] | null }} TestReport
 * @typedef {{ name?: string, status: string, message?: string, assertionResults: TestReport[] }} FileReport
 * @typedef {{ testResults: FileReport[] }} RunReport
 */

/** Lines of a failure's message that are repeated at the end of a run. */
const MOST_LINES = 12;

/**
 * Counts the tests of one Vitest run from its JSON report. What fails outside a test counts as one failure: a file
 * that could not be loaded, an error after the tests, no report, or no test at all.
 *
 * @param {RunReport | undefined} report
 * @param {number} exitCode of the run
 */
export function countTests(report, exitCode) {
  const files = report?.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults);
  /** @param {string} status */
  const count = (status) => tests.filter((test) => test.status === status).length;
  const brokenFiles = files.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;

  const passed = count("passed");
  const failed = count("failed") + brokenFiles;
  const failedOutside = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: failedOutside ? 1 : failed };
}

/**
 * The tests that failed, and the files that could not be loaded, each with the beginning of its message.
 *
 * @param {RunReport | undefined} report
 * @returns {string[]}
 */
export function namesOfFailures(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const tests = file.assertionResults.filter((test) => test.status === "failed");
    if (tests.length > 0)
      return tests.map((test) => told(`${file.name} > ${test.fullName}`, test.failureMessages?.join("\n")));
    return file.status === "failed" ? [told(`${file.name}`, file.message)] : [];
  });
}

/** @param {string} place @param {string | undefined} message */
const told = (place, message) => [place, ...(message ?? "").split("\n").slice(0, MOST_LINES)].join("\n    ");

/**
 * What the progress reporter writes: a file, or a test in it, begins or ends.
 *
 * @typedef {{ begun: string, test?: string } | { ended: string, test?: string, state: string }} ProgressLine
 */

/**
 * Counts the tests of a Vitest run that was killed, from what its progress reporter wrote. What was running counts as
 * failed, and so does the run where nothing was. Of a file that let no word out before it hung, the file is named.
 *
 * @param {readonly ProgressLine[]} lines
 */
export function countProgress(lines) {
  let [passed, failed] = [0, 0];
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  for (const line of lines) {
    if ("begun" in line) {
      const tests = files.get(line.begun) ?? new Set();
      files.set(line.begun, line.test === undefined ? tests : tests.add(line.test));
    } else if (line.test === undefined) {
      files.delete(line.ended);
    } else {
      files.get(line.ended)?.delete(line.test);
      if (line.state === "passed") passed++;
      if (line.state === "failed") failed++;
    }
  }
  const running = [...files].flatMap(([file, tests]) =>
    tests.size > 0 ? [...tests].map((test) => `${file} > ${test}`) : [file],
  );
  return { passed, failed: failed + Math.max(1, running.length), running };
}
