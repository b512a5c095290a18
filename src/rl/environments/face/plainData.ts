/** Plain data: what a saved state may consist of. */
import { isNumberArray, RESERVED } from "./packet.ts";

/** Most bytes of a saved state, where a number has 8 and a character 2. */
const MOST_BYTES = 4_000_000;
/** Most levels of lists and objects in each other; one that contains itself has more. */
const MOST_LEVELS = 100;

const PLAIN =
  "allowed plain data: numbers, text, booleans, null, lists, plain objects and typed arrays, at most 4 MB";

const typeOf = (value: object): string => {
  const name: unknown = Reflect.get(value, "constructor")?.name;
  return typeof name === "string" && name !== "" ? `a ${name}` : "an object of a class";
};

const isPlainObject = (value: object): boolean => {
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null || Object.getPrototypeOf(parent) === null;
};

/** Says which part of a value is not plain data, or that the value is too large; null if neither. */
export function plainFault(value: unknown, place = "the state"): string | null {
  let left = MOST_BYTES;
  const fault = (part: unknown, at: string, level: number): string | null => {
    left -= typeof part === "string" ? 2 * part.length : isNumberArray(part) ? part.byteLength : 8;
    if (left < 0) return `${place}: found more than 4 MB`;
    if (level > MOST_LEVELS) return `${place}: found more than ${MOST_LEVELS} levels`;
    if (part === null || ["number", "string", "boolean"].includes(typeof part) || isNumberArray(part))
      return null;
    if (typeof part !== "object")
      return `${at}: found ${part === undefined ? "undefined" : `a ${typeof part}`}`;
    if (Array.isArray(part)) {
      for (let i = 0; i < part.length; i++) {
        const inner = fault(part[i], `${at}[${i}]`, level + 1);
        if (inner !== null) return inner;
      }
      return null;
    }
    if (!isPlainObject(part)) return `${at}: found ${typeOf(part)}`;
    for (const [key, inner] of Object.entries(part)) {
      if (RESERVED.includes(key)) return `${at}: found the key ${key}, which is reserved`;
      left -= 2 * key.length;
      // A field without a value reads like one that is not there.
      const found = inner === undefined ? null : fault(inner, `${at}.${key}`, level + 1);
      if (found !== null) return found;
    }
    return null;
  };
  const found = fault(value, place, 0);
  return found === null ? null : `${found}, ${PLAIN}`;
}
