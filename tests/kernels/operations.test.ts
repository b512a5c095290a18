import { operationSuite } from "./suites/operations.ts";
import { devices } from "./support/devices.ts";

for (const device of devices) operationSuite(device);
