/**
 * Counts the tests of one Vitest run from its JSON report. What fails outside a test counts as one failure: a file
 * that could not be loaded, an error after the tests, no report, or no test at all.
 *
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
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
