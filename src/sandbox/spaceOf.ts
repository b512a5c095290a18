/** Builds spaces from plain records: modules import nothing, so they cannot use rlkit's space classes. */
import {
  Box,
  Dict,
  Discrete,
  describeValue,
  isArrayLike,
  MultiBinary,
  MultiDiscrete,
  type SimpleSpace,
  type SingleAgentSpace,
  type SpaceDType,
  Tuple,
} from "../rl/spaces.ts";

type Fields = Readonly<Record<string, unknown>>;

const KINDS = ["Box", "Discrete", "MultiDiscrete", "MultiBinary", "Tuple", "Dict"] as const;
const EXAMPLE = '{ kind: "Box", low: -1, high: 1, shape: [4] } or { kind: "Discrete", n: 2 }';

/**
 * Builds the space that a record describes: `kind` names the class, and the other fields are its arguments.
 * @throws TypeError or RangeError naming `place` if the record describes no space.
 */
export function spaceOf(record: unknown, place: string): SingleAgentSpace {
  const fields = requireRecord(record, place);
  switch (fields.kind) {
    case "Tuple":
      if (!Array.isArray(fields.spaces))
        throw new TypeError(
          `${place}.spaces: found ${describeValue(fields.spaces)}, allowed a list of spaces`,
        );
      return made(place, () => new Tuple(partsOf(fields.spaces as readonly unknown[], place)));
    case "Dict": {
      const spaces = requireObject(fields.spaces, `${place}.spaces`, "an object with spaces by name");
      const names = Object.keys(spaces);
      const parts = names.map((name) => [name, simpleOf(spaces[name], `${place}.spaces.${name}`)] as const);
      return made(place, () => new Dict(Object.fromEntries(parts)));
    }
    default:
      return simpleOf(fields, place);
  }
}

const partsOf = (spaces: readonly unknown[], place: string): SimpleSpace[] =>
  spaces.map((space, i) => simpleOf(space, `${place}.spaces[${i}]`));

function simpleOf(record: unknown, place: string): SimpleSpace {
  const fields = requireRecord(record, place);
  const numbers = (field: string) => requireNumbers(fields[field], `${place}.${field}`);
  switch (fields.kind) {
    case "Box": {
      const [low, high] = [numbers("low"), numbers("high")];
      const shape = fields.shape === undefined ? {} : { shape: requireList(fields.shape, `${place}.shape`) };
      // The class reports an unknown dtype.
      const dtype = fields.dtype === undefined ? {} : { dtype: fields.dtype as SpaceDType };
      return made(place, () => new Box({ low, high, ...shape, ...dtype }));
    }
    case "Discrete": {
      // As above: the class rejects invalid numbers.
      const n = fields.n as number;
      const start = fields.start === undefined ? {} : { start: fields.start as number };
      return made(place, () => new Discrete(n, start));
    }
    case "MultiDiscrete":
      return made(place, () => new MultiDiscrete(requireList(fields.nvec, `${place}.nvec`)));
    case "MultiBinary":
      return made(place, () => new MultiBinary(numbers("n")));
    default:
      throw new RangeError(
        `${place}.kind: found ${describeValue(fields.kind)}, allowed ${KINDS.join(", ")}; write ${EXAMPLE}`,
      );
  }
}

/** Requires a number or a list of numbers. */
function requireNumbers(value: unknown, place: string): number | readonly number[] {
  return typeof value === "number" ? value : requireList(value, place, "a number or a list of numbers");
}

function requireList(value: unknown, place: string, allowed = "a list of numbers"): readonly number[] {
  const isList = isArrayLike(value) && Array.from(value).every((x) => typeof x === "number");
  // Checked just above.
  if (isList) return Array.from(value as ArrayLike<number>);
  throw new TypeError(`${place}: found ${describeValue(value)}, allowed ${allowed}`);
}

function requireObject(value: unknown, place: string, allowed: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError(`${place}: found ${describeValue(value)}, allowed ${allowed}`);
}

const requireRecord = (value: unknown, place: string): Fields =>
  requireObject(value, place, `a space: ${EXAMPLE}`);

/** Adds the place to errors of the space classes, which name only the class. */
function made<S>(place: string, make: () => S): S {
  try {
    return make();
  } catch (error) {
    throw new RangeError(`${place}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
