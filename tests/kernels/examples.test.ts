import { exampleSuite } from "./suites/examples.ts";
import { devices } from "./support/devices.ts";

for (const device of devices) exampleSuite(device);
