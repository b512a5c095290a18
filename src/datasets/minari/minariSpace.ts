/** Reads spaces from Minari's metadata. */
import { z } from "zod";
import {
  Box,
  Dict,
  Discrete,
  MultiBinary,
  MultiDiscrete,
  type SimpleSpace,
  type SingleAgentSpace,
  Tuple,
} from "../../rl/spaces.ts";

/** Bounds may be infinite, which zod's numbers exclude. */
const bound = z.custom<number>((value) => typeof value === "number", "allowed a number");
type Bounds = number | readonly Bounds[];
const bounds: z.ZodType<Bounds> = z.lazy(() => z.union([bound, z.array(bounds)]));

const Simple = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("Box"),
    dtype: z.string(),
    shape: z.array(z.int().positive()),
    low: bounds,
    high: bounds,
  }),
  z.object({ type: z.literal("Discrete"), n: z.int().positive(), start: z.int().default(0) }),
  z.object({
    type: z.literal("MultiDiscrete"),
    nvec: z.array(z.int().positive()).min(1),
    start: z.array(z.int()).optional(),
  }),
  z.object({ type: z.literal("MultiBinary"), n: z.union([z.int().positive(), z.array(z.int().positive())]) }),
]);

const Any = z.discriminatedUnion("type", [
  ...Simple.options,
  z.object({ type: z.literal("Dict"), subspaces: z.record(z.string(), Simple) }),
  z.object({ type: z.literal("Tuple"), subspaces: z.array(Simple).min(1) }),
]);

const flat = (value: Bounds): number[] => (typeof value === "number" ? [value] : value.flatMap(flat));

function simple(json: z.output<typeof Simple>): SimpleSpace {
  switch (json.type) {
    case "Box": {
      const size = json.shape.reduce((product, n) => product * n, 1);
      const filled = (value: Bounds): number[] =>
        typeof value === "number" ? Array<number>(size).fill(value) : flat(value);
      return new Box({
        low: filled(json.low),
        high: filled(json.high),
        shape: json.shape,
        // Agents receive all other dtypes as 32-bit floats.
        dtype: json.dtype === "uint8" ? "uint8" : "float32",
      });
    }
    case "Discrete":
      return new Discrete(json.n, { start: json.start });
    case "MultiDiscrete":
      if (json.start?.some((start) => start !== 0))
        throw new RangeError(`start: found [${json.start.join(", ")}], allowed zeros`);
      return new MultiDiscrete(json.nvec);
    case "MultiBinary":
      return new MultiBinary(json.n);
  }
}

/** Space kinds of Minari that rlkit's agents do not support. */
const REFUSED = ["Text", "Graph", "Sequence", "OneOf"];

const kindOf = (json: unknown): unknown =>
  typeof json === "object" && json !== null && "type" in json ? json.type : undefined;

/** @throws RangeError describing an invalid or unsupported space. */
export function spaceOfMinari(json: unknown): SingleAgentSpace {
  const kinds = [kindOf(json)];
  if (typeof json === "object" && json !== null && "subspaces" in json && json.subspaces)
    kinds.push(...Object.values(json.subspaces).map(kindOf));
  const refused = REFUSED.find((kind) => kinds.includes(kind));
  if (refused !== undefined)
    throw new RangeError(
      `found a ${refused} space, which rlkit's agents do not support; allowed Box, Discrete, MultiDiscrete, MultiBinary, and Dict or Tuple of them`,
    );
  const parsed = Any.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RangeError(`is not a Gymnasium space: ${issue?.path.join(".") || "type"} ${issue?.message}`);
  }
  const { data } = parsed;
  if (data.type === "Dict")
    return new Dict(
      Object.fromEntries(Object.entries(data.subspaces).map(([key, own]) => [key, simple(own)])),
    );
  return data.type === "Tuple" ? new Tuple(data.subspaces.map(simple)) : simple(data);
}
