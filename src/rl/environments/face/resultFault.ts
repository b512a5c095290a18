/** Descriptions of faults in the results of an environment's reset and step. */
import { shorten } from "../../../specs/messages.ts";
import { countOf, flatElement } from "../../spaces/elementRows.ts";
import {
  describeSpace,
  describeValue,
  type ElementCheck,
  isArrayLike,
  isFiniteNumber,
  isPromise,
  keysOf,
  type Space,
} from "../../spaces.ts";

export type Fields = Readonly<Record<string, unknown>>;

const RESET = "{ observation, info }";
const STEP = "{ observation, reward, terminated, truncated, info }";
const FLAGS = ["terminated", "truncated"] as const;
/** Maximum number of characters that describe a space in a message. */
const MOST_TEXT = 300;

/** Describes the fault in a reset's result, except in its observation; null if there is none. */
export function resetFault(result: unknown): string | null {
  return objectFault(result, "observation", RESET, "reset") ?? infoFault(result as Fields);
}

/** Describes the fault in a step's result, except in its observation; null if there is none. */
export function stepFault(result: unknown): string | null {
  const wrong = objectFault(result, "observation", STEP, "step");
  if (wrong !== null) return wrong;
  const fields = result as Fields;
  for (const flag of FLAGS) {
    if (fields[flag] === undefined && "done" in fields)
      return "found done, allowed terminated (the task ended) and truncated (it was cut off, for example by a time limit), each true or false";
    const fault = flagFault(flag, fields[flag]);
    if (fault !== null) return fault;
  }
  return rewardFault("reward", fields.reward) ?? infoFault(fields);
}

export const flagFault = (place: string, flag: unknown): string | null =>
  typeof flag === "boolean" ? null : `${place}: found ${describeValue(flag)}, allowed true or false`;

export const rewardFault = (place: string, reward: unknown): string | null =>
  isFiniteNumber(reward) ? null : `${place}: found ${describeValue(reward)}, allowed a finite 32-bit number`;

/** Fault when a result is not an object with named fields. An object with the field `first` is valid. */
export function objectFault(
  result: unknown,
  first: string,
  allowed: string,
  call: "reset" | "step",
): string | null {
  const isObject = typeof result === "object" && result !== null;
  if (isObject && first in result && !isPromise(result)) return null;
  const found = describeValue(result);
  if (isPromise(result))
    return `found ${found}, allowed an object ${allowed} returned directly; ${call} must not be async: do asynchronous work before training`;
  if (Array.isArray(result))
    return `found ${found} (a tuple?), allowed an object ${allowed}; name the fields: return ${allowed}`;
  if (isObject && !ArrayBuffer.isView(result) && Object.keys(result).length > 0) return null;
  return `found ${found}, allowed an object ${allowed}; return one`;
}

function infoFault({ info }: Fields): string | null {
  if (typeof info === "object" && info !== null && !Array.isArray(info)) return null;
  return `info: found ${describeValue(info)}, allowed an object, {} for none`;
}

/** Fault in the observation of a result; null if it is in the space. */
export function observationFault(result: object, space: Space, check: ElementCheck): string | null {
  const { observation } = result as Fields;
  if (observation === undefined)
    return `observation: found nothing (it gave ${keysOf(result)}), allowed ${shorten(describeSpace(space), MOST_TEXT)}`;
  return elementFault("observation", observation, { space, check });
}

/** The space of an expected element. */
export interface Expected {
  readonly space: Space;
  readonly check: ElementCheck;
}

/** Fault in an observation; null if it is in the space. */
export function elementFault(place: string, observation: unknown, { space, check }: Expected): string | null {
  let flat: unknown;
  try {
    flat = flatElement(place, space, observation);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (typeof flat !== "number" && !isArrayLike(flat))
    return `${place}: found ${describeValue(flat)}, allowed ${shorten(describeSpace(space), MOST_TEXT)}`;
  const numbers = typeof flat === "number" ? [flat] : flat;
  if (numbers.length !== check.size) {
    const found = typeof observation === "number" ? `${observation}` : countOf(numbers.length);
    return `${place}: found ${found}, allowed ${shorten(describeSpace(space), MOST_TEXT)}`;
  }
  const fault = check.fault(numbers);
  if (!fault) return null;
  const isList = typeof fault.found === "object" && fault.found !== null;
  const hint = isList ? "; pass its numbers as one flat array, in row-major order" : "";
  return `${place}${fault.place}: found ${describeValue(fault.found)}, allowed ${shorten(fault.allowed, MOST_TEXT)}${hint}`;
}
