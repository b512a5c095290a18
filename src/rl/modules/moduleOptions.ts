/** Reads the options of module classes: their names, defaults, sizes and bounds. Errors name the class and the option. */
import { checkNames } from "../../specs/checks.ts";
import type { BoundsRule, Settings } from "./settings.ts";

/** The defaults of an options type. */
type Defaults<Options> = {
  readonly [K in keyof Options as undefined extends Options[K] ? K : never]-?: Exclude<Options[K], undefined>;
};

interface OptionsReader<Options> {
  /** An example of the options that must be given, for messages. */
  readonly example: string;
  /** Sizes, and lists of sizes: those that must be given, and those with a default that are checked too. */
  readonly sizes: readonly (keyof Options & string)[];
  /** Other options that must be given. */
  readonly others?: readonly (keyof Options & string)[];
  readonly defaults: Defaults<Options>;
  /** Bounds of the sizes (default: none). */
  readonly rules?: readonly BoundsRule[];
}

function refuse(place: string, found: unknown, allowed: string): never {
  throw new RangeError(`${place}: found ${String(found)}, allowed ${allowed}`);
}

/** @throws RangeError unless the value is a positive integer, or a list of them. */
function requireSize(place: string, value: unknown): void {
  if (Array.isArray(value)) {
    if (value.length === 0) refuse(place, "none", "one or more");
    for (const [i, size] of value.entries()) requireSize(`${place}[${i}]`, size);
  } else if (!Number.isInteger(value) || Number(value) < 1) refuse(place, value, "integers from 1");
}

/** @throws RangeError unless the option is a list. */
export function requireList(name: string, field: string, read: Settings): readonly unknown[] {
  const list = read[field];
  return Array.isArray(list) ? list : refuse(`${name}.${field}`, list, "a list");
}

/** @throws RangeError when the minimum exceeds the maximum, or the value is out of these bounds. */
export function requireWithin(
  name: string,
  read: Settings,
  [field, value]: readonly [string, number],
  [low, high]: readonly [string, string],
): void {
  const [min, max] = [Number(read[low]), Number(read[high])];
  if (min > max) refuse(`${name}.${low}`, min, `at most ${high} (${max})`);
  if (value < min || value > max) refuse(`${name}.${field}`, value, `${low} (${min}) to ${high} (${max})`);
}

function requireBounds(name: string, read: Settings, rule: BoundsRule): void {
  if ("size" in rule)
    return requireWithin(name, read, [rule.size, Number(read[rule.size])], [rule.min, rule.max]);
  const widths = requireList(name, rule.widths, read);
  for (const field of rule.lists ?? []) {
    const { length } = requireList(name, field, read);
    if (length !== widths.length)
      refuse(`${name}.${field}`, `${length} items`, `one for each of ${widths.length} layers`);
  }
  const layers = [rule.min_layers, rule.max_layers] as const;
  requireWithin(name, read, [`${rule.widths}.length`, widths.length], layers);
  for (const [i, width] of widths.entries())
    requireWithin(name, read, [`${rule.widths}[${i}]`, Number(width)], [rule.min_width, rule.max_width]);
}

/**
 * The options with their defaults.
 * @throws TypeError for unknown options; RangeError when a size is not a positive integer or is out of bounds.
 */
export function readOptions<Options extends object>(
  name: string,
  options: Options,
  { example, sizes, others = [], defaults, rules = [] }: OptionsReader<Options>,
): Required<Options> {
  const names = [...sizes, ...others, ...Object.keys(defaults)];
  checkNames(name, options, Object.fromEntries(names.map((each) => [each, true])), { example });
  const [given, absent] = [options, defaults].map(
    (each): Settings => Object.fromEntries(Object.entries(each)),
  );
  // Always in the same order, so that the data of equal modules is the same text.
  const read: Settings = Object.fromEntries(names.map((each) => [each, given?.[each] ?? absent?.[each]]));
  for (const size of sizes) requireSize(`${name}.${size}`, read[size]);
  for (const rule of rules) requireBounds(name, read, rule);
  // The options that have no default are sizes, which are checked, or read by the caller.
  return read as Required<Options>;
}
