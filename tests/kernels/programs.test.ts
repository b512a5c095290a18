// @apart: its programs and devices fill much memory.
import { programSuite } from "./suites/programs.ts";
import { regressionSuite } from "./suites/regressions.ts";
import { devices } from "./support/devices.ts";

for (const device of devices) {
  programSuite(device);
  regressionSuite(device);
}
