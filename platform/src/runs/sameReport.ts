/** Compares two reports of one generation. */
import { isMapping } from "../../../src/specs/checks.ts";

/** Fields that depend on the clock, and one that a worker reports in full only in its first generation. */
const LEFT_OUT = new Set([
  ...["at", "seconds", "steps_per_second", "learn_steps_per_second", "milliseconds"],
  "network",
]);

export const sameReport = (a: object, b: object): boolean => canonical(a) === canonical(b);

/** JSON with sorted keys, because the database does not preserve key order. */
function canonical(report: object): string {
  return JSON.stringify(report, (key, value: unknown) => {
    if (LEFT_OUT.has(key)) return undefined;
    if (!isMapping(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
  });
}
