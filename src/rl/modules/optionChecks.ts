/** Checks for the options of module classes; errors name the class and the field. */

export function refuseOption(place: string, found: unknown, allowed: string): never {
  throw new RangeError(`${place}: found ${found}, allowed ${allowed}`);
}

/** @throws RangeError naming the first size that is not a positive integer. */
export function requireSizes(
  name: string,
  sizes: Readonly<Record<string, number | readonly number[]>>,
): void {
  for (const [field, value] of Object.entries(sizes)) {
    if (typeof value === "object") {
      if (value.length === 0) refuseOption(`${name}.${field}`, "none", "one or more");
      value.forEach((size, i) => {
        requireSizes(name, { [`${field}[${i}]`]: size });
      });
    } else if (!Number.isInteger(value) || value < 1) {
      refuseOption(`${name}.${field}`, value, "integers from 1");
    }
  }
}

/** @throws RangeError when `[field, value]` is out of bounds, or the minimum exceeds the maximum. */
export function requireWithin(
  name: string,
  [field, value]: readonly [string, number],
  [minField, min]: readonly [string, number],
  [maxField, max]: readonly [string, number],
): void {
  if (min > max) refuseOption(`${name}.${minField}`, min, `at most ${maxField} (${max})`);
  if (value < min || value > max) {
    refuseOption(`${name}.${field}`, value, `${minField} (${min}) to ${maxField} (${max})`);
  }
}
