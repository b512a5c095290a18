/** Checks of options objects whose fields are plain values. */
import { show } from "../specs/explainName.ts";
import { shorten } from "../specs/shorten.ts";

/** What an option may be. */
interface OptionRule {
  readonly allowed: string;
  readonly allows: (value: unknown) => boolean;
}

const number = (allowed: string, allows: (value: number) => boolean): OptionRule => ({
  allowed,
  allows: (value) => typeof value === "number" && allows(value),
});

export const FLAG: OptionRule = { allowed: "true or false", allows: (value) => typeof value === "boolean" };
export const TEXT: OptionRule = {
  allowed: "text that is not empty",
  allows: (value) => typeof value === "string" && value !== "",
};
/** Steps, passes: at least one. */
export const COUNT = number("integers from 1", (value) => Number.isSafeInteger(value) && value >= 1);
export const DELAY = number("integers from 0", (value) => Number.isSafeInteger(value) && value >= 0);
export const FRACTION = number("0 to 1", (value) => value >= 0 && value <= 1);
export const SCORE = number("finite numbers", Number.isFinite);
export const FUNCTION: OptionRule = {
  allowed: "a function",
  allows: (value) => typeof value === "function",
};
const having = (allowed: string, method: string): OptionRule => ({
  allowed,
  allows: (value) =>
    typeof value === "object" &&
    value !== null &&
    typeof (value as Record<string, unknown>)[method] === "function",
});

export const OBSERVER = having("an object with a function on", "on");
export const STORE = having("a FileStore", "read");
/** Checked elsewhere, or not at all. */
export const ANY: OptionRule = { allowed: "anything", allows: () => true };

export type OptionRules = Readonly<Record<string, OptionRule>>;

/**
 * Undefined and null are options that are not given.
 * @throws TypeError naming the options that `rules` do not have, or an option of the wrong type; RangeError for
 *   a number that is out of range.
 */
export function checkOptions(what: string, options: object, rules: OptionRules): void {
  const unknown = Object.keys(options).filter((key) => !Object.hasOwn(rules, key));
  if (unknown.length > 0) {
    throw new TypeError(
      `${what}: unknown option ${shorten(unknown.join(", "), 500)}; allowed: ${Object.keys(rules).join(", ")}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name];
    if (!rule || value === undefined || value === null || rule.allows(value)) continue;
    const message = `${what}: ${name}: found ${show(value)}, allowed ${rule.allowed}`;
    throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
  }
}
