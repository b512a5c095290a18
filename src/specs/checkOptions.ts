/** Checks of callers' options objects: that there is one, its names, and its plain values. */
import { nearest, show } from "./names.ts";
import { shorten } from "./plain.ts";

/** The allowed values of an option. */
export interface OptionRule {
  readonly allowed: string;
  readonly allows: (value: unknown) => boolean;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

/** Every name of an options type. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** How a function or constructor was called. */
interface Called {
  /** An example of an options object, for messages. */
  readonly example: string;
  /** Arguments after the options, which none of these functions accept. */
  readonly positional?: readonly unknown[];
}

/** Maximum number of unknown names in a message; the rest are counted. */
const MOST_NAMED = 8;

/** Whether `value` is a plain object, such as an object literal. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Describes a value for messages; instances of classes by their class name. */
function describe(value: unknown): string {
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !isPlain(value))
    return `a ${value.constructor.name}`;
  return show(value);
}

const refusal = (what: string, found: string, { example }: Called): TypeError =>
  new TypeError(`${what}: found ${found}, allowed one object of options, such as ${example}`);

/** @throws TypeError for anything but one object of options. */
export function requireOptions(what: string, options: unknown, called: Called): asserts options is object {
  const { positional = [] } = called;
  const found = describe(options);
  if (positional.length > 0)
    throw refusal(what, `${positional.length + 1} arguments (the first is ${found})`, called);
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw refusal(what, found, called);
}

/**
 * @param names The known options, as keys.
 * @throws TypeError as {@link requireOptions}, and one that names unknown options with the nearest known
 *   names.
 */
export function checkNames(
  what: string,
  options: unknown,
  names: Readonly<Record<string, unknown>>,
  called: Called,
): asserts options is object {
  requireOptions(what, options, called);
  const known = Object.keys(names);
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(names, name));
  if (unknown.length === 0) return;
  if (!isPlain(options)) throw refusal(what, describe(options), called);
  const more = unknown.length - MOST_NAMED;
  const named = unknown.slice(0, MOST_NAMED).map((name) => {
    const near = nearest(name, known);
    return near === undefined ? short(name) : `${short(name)} (did you mean "${near}"?)`;
  });
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  throw new TypeError(`${what}: unknown option ${list}; allowed: ${known.join(", ")}`);
}

/** A name as it was written, shortened if it is long. */
const short = (name: string): string => shorten(name, 80);

/**
 * Checks names and values. Undefined and null count as options that are not given.
 * @throws TypeError as {@link checkNames} does, or for an option of the wrong type; RangeError for a number that is out
 *   of range.
 */
export function checkOptions(what: string, options: unknown, rules: OptionRules, called: Called): void {
  checkNames(what, options, rules, called);
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name];
    if (!rule || value === undefined || value === null || rule.allows(value)) continue;
    const message = `${what}: ${name}: found ${show(value)}, allowed ${rule.allowed}`;
    throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
  }
}
