/** Rules for options that callers give: of agents, environments, trainers and clients. */
import type { OptionRule } from "./checkOptions.ts";

const number = (allowed: string, allows: (value: number) => boolean): OptionRule => ({
  allowed,
  allows: (value) => typeof value === "number" && allows(value),
});

export const FLAG: OptionRule = { allowed: "true or false", allows: (value) => typeof value === "boolean" };
export const TEXT: OptionRule = {
  allowed: "text that is not empty",
  allows: (value) => typeof value === "string" && value !== "",
};
/** Counts such as steps or passes: at least one. */
export const COUNT = number("integers from 1", (value) => Number.isSafeInteger(value) && value >= 1);
export const DELAY = number("integers from 0", (value) => Number.isSafeInteger(value) && value >= 0);
export const FRACTION = number("0 to 1", (value) => value >= 0 && value <= 1);
/** Times in seconds. */
export const SECONDS = number("numbers above 0", (value) => value > 0);
export const SCORE = number("finite numbers", Number.isFinite);
export const ANY_TEXT: OptionRule = { allowed: "text", allows: (value) => typeof value === "string" };
export const OBJECT: OptionRule = { allowed: "an object", allows: (value) => typeof value === "object" };
export const FUNCTION: OptionRule = {
  allowed: "a function",
  allows: (value) => typeof value === "function",
};
/** @param what The class as messages name it: "an Accelerator". */
export const instanceOf = (
  what: string,
  Class: { [Symbol.hasInstance](value: unknown): boolean },
): OptionRule => ({
  allowed: what,
  allows: (value) => value instanceof Class,
});
const having = (allowed: string, method: string): OptionRule => ({
  allowed,
  allows: (value) =>
    typeof value === "object" &&
    value !== null &&
    typeof (value as Record<string, unknown>)[method] === "function",
});

export const OBSERVER: OptionRule = {
  allowed: "a function, or an object with a function on",
  allows: (value) => FUNCTION.allows(value) || having("", "on").allows(value),
};
export const STORE = having("a FileStore", "read");
/** Not checked here. */
export const ANY: OptionRule = { allowed: "anything", allows: () => true };
