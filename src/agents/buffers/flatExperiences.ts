/** Observations of transitions and rollouts that are given by their parts, as flat numbers. */
import { describeValue, elementRows, isArrayLike, type Space } from "../../rl/spaces.ts";

const SEEN = ["obs", "next_obs"] as const;

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !isArrayLike(value);

/**
 * The fields with flat observations; the same object if they are flat already.
 * @param space Space of an observation; null if it is unknown.
 * @throws TypeError or RangeError naming the field, and the agent or key, that does not fit.
 */
export function withFlatObservations<T extends object>(place: string, space: Space | null, given: T): T {
  // Anything but an object is refused where its fields are read.
  if (!isRecord(given)) return given;
  const fields: Given = given;
  const flat = Object.fromEntries(
    SEEN.map((field) => [field, flatField(`${place}${field}`, space, fields[field])]),
  );
  return SEEN.every((field) => flat[field] === fields[field]) ? given : { ...given, ...flat };
}

function flatField(place: string, space: Space | null, value: unknown): unknown {
  if (space?.kind === "Agents" && isRecord(value)) {
    const each = Object.entries(value).map(([id, own]) => {
      const seen = space.spaces[id];
      return [id, seen ? elementRows(`${place}.${id}`, seen, own) : own] as const;
    });
    return each.every(([id, own]) => own === value[id]) ? value : Object.fromEntries(each);
  }
  if (space) return elementRows(place, space, value);
  const isNested = Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null);
  if (!isNested) return value;
  throw new TypeError(
    `${place}: found ${describeValue(value)} with lists or objects in it, allowed numbers, one after another; call configure() with the environment's spaces first`,
  );
}
