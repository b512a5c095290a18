/** The schema of spaces as JSON, for files and messages that anyone may have written. */
import { z } from "zod";
import { flatSize } from "./Space.ts";
import { type SpaceJson, spaceFromJson } from "./spaceJson.ts";
import { SPACE_DTYPES } from "./values.ts";

/** Most numbers and choices of a space, and most dimensions of a shape. */
const MOST_NUMBERS = 2 ** 24;
const MOST_DIMENSIONS = 32;

const size = z.int().positive().max(MOST_NUMBERS);
const shape = z.array(size).max(MOST_DIMENSIONS);
const bounds = z.array(z.union([z.number(), z.enum(["inf", "-inf"])])).max(MOST_NUMBERS);

const simpleSpace = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Box"),
    low: bounds,
    high: bounds,
    shape,
    dtype: z.enum(SPACE_DTYPES),
    stacked: z.literal(true).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("Discrete"), n: size, start: z.int() }),
  z.strictObject({ kind: z.literal("MultiDiscrete"), nvec: z.array(size) }),
  z.strictObject({ kind: z.literal("MultiBinary"), shape }),
]);
const singleAgentSpace = z.union([
  simpleSpace,
  z.strictObject({ kind: z.literal("Tuple"), spaces: z.array(simpleSpace) }),
  z.strictObject({ kind: z.literal("Dict"), spaces: z.record(z.string(), simpleSpace) }),
]);

/** Whether a Box has a bound of each of its numbers, without memory for them. */
const hasBounds = (space: SpaceJson): boolean => {
  if (space.kind === "Box") {
    const numbers = space.shape.reduce((product, dim) => product * dim, 1);
    return space.low.length === numbers && space.high.length === numbers;
  }
  return !("spaces" in space) || Object.values<SpaceJson>(space.spaces).every(hasBounds);
};

/** Why a space cannot be made; null if it can. */
function spaceFault(json: SpaceJson): string | null {
  if (!hasBounds(json)) return "has another number of bounds than its shape has elements";
  try {
    const numbers = flatSize(spaceFromJson(json));
    return numbers > MOST_NUMBERS ? `has ${numbers} numbers or choices, allowed ${MOST_NUMBERS}` : null;
  } catch (error) {
    return error instanceof Error ? error.message : "is not a space";
  }
}

/** A space that `spaceFromJson` makes. */
export const jsonSpace: z.ZodType<SpaceJson> = z
  .union([
    singleAgentSpace,
    z.strictObject({ kind: z.literal("Agents"), spaces: z.record(z.string(), singleAgentSpace) }),
  ])
  .superRefine((json, context) => {
    const message = spaceFault(json);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
