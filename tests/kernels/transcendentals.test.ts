import { transcendentalSuite } from "./suites/transcendentals.ts";
import { devices } from "./support/devices.ts";

for (const device of devices) transcendentalSuite(device);
