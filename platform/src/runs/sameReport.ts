/** Whether two reports of one generation say the same. */
import { isMapping } from "../../../src/specs/isMapping.ts";

/** What a clock decides, and what a worker tells in full of the first generation that it trains. */
const LEFT_OUT = new Set([
  ...["at", "seconds", "steps_per_second", "learn_steps_per_second", "milliseconds"],
  "network",
]);

export const sameReport = (a: object, b: object): boolean => canonical(a) === canonical(b);

/** As JSON with sorted keys, as the database gives them back in any order. */
function canonical(report: object): string {
  return JSON.stringify(report, (key, value: unknown) => {
    if (LEFT_OUT.has(key)) return undefined;
    if (!isMapping(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
  });
}
