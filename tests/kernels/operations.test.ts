// @apart: its programs and devices fill much memory.
import { matmulSuite } from "./suites/matmuls.ts";
import { operationSuite } from "./suites/operations.ts";
import { specialValueSuite } from "./suites/specialValues.ts";
import { devices } from "./support/devices.ts";

operationSuite(devices);
for (const device of devices) {
  specialValueSuite(device);
  matmulSuite(device);
}
