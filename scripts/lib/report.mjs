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
