import { show } from "../../specs/messages.ts";

const MOST_KEYS = 8;

/** Short description of an unexpected value, for error messages. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "function") return isClass(value) ? `the class ${value.name}` : "a function";
  if (typeof value !== "object") return show(value);
  if (isPromise(value)) return "a promise";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const name = value.constructor?.name ?? "";
  if (ArrayBuffer.isView(value)) return `a ${name} of ${(value as { readonly length?: number }).length ?? 0}`;
  return name === "Object" || name === ""
    ? `a plain object with ${keysOf(value)}`
    : `an object of class ${name}`;
}

/** Whether a value is an array or a typed array. */
export const isArrayLike = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

export const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

export const isClass = (value: unknown): value is abstract new () => object =>
  typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

/** Names of an object's own fields. */
export function keysOf(value: object): string {
  const keys = Object.keys(value);
  const more = keys.length - MOST_KEYS;
  const shown = keys.slice(0, MOST_KEYS).map((key) => (key.length > 40 ? `${key.slice(0, 37)}...` : key));
  if (keys.length === 0) return "no fields";
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
