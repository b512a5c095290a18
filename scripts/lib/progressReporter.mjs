/**
 * A reporter for Vitest that writes down at once which tests and files begin and end, a line of JSON each, so that a run
 * that is killed leaves word of what it was at. RLKIT_TEST_PROGRESS names the file.
 */
import { appendFileSync } from "node:fs";

/** @import { Reporter } from "vitest/node" */
/** @import { ProgressLine } from "./report.mjs" */

const file = process.env.RLKIT_TEST_PROGRESS ?? "";

/** @param {ProgressLine} line */
const note = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

/** @implements {Reporter} */
export default class ProgressReporter {
  /** @type {NonNullable<Reporter["onTestModuleQueued"]>} */
  onTestModuleQueued(module) {
    note({ begun: module.relativeModuleId });
  }

  /** @type {NonNullable<Reporter["onTestModuleEnd"]>} */
  onTestModuleEnd(module) {
    note({ ended: module.relativeModuleId, state: module.state() });
  }

  /** @type {NonNullable<Reporter["onTestCaseReady"]>} */
  onTestCaseReady(test) {
    note({ begun: test.module.relativeModuleId, test: test.fullName });
  }

  /** @type {NonNullable<Reporter["onTestCaseResult"]>} */
  onTestCaseResult(test) {
    note({ ended: test.module.relativeModuleId, test: test.fullName, state: test.result().state });
  }
}
