/** Spaces as plain JSON data, for checkpoints and messages between workers. */
import { Box } from "./Box.ts";
import { Discrete } from "./Discrete.ts";
import { MultiBinary } from "./MultiBinary.ts";
import { MultiDiscrete } from "./MultiDiscrete.ts";
import type { Space } from "./Space.ts";
import type { SpaceDType } from "./values.ts";

/** A bound in JSON, which has no infinities. */
type JsonBound = number | "inf" | "-inf";

export type SpaceJson =
  | {
      readonly kind: "Box";
      readonly low: readonly JsonBound[];
      readonly high: readonly JsonBound[];
      readonly shape: readonly number[];
      readonly dtype: SpaceDType;
    }
  | { readonly kind: "Discrete"; readonly n: number; readonly start: number }
  | { readonly kind: "MultiDiscrete"; readonly nvec: readonly number[] }
  | { readonly kind: "MultiBinary"; readonly shape: readonly number[] };

const toBound = (x: number): JsonBound => (x === Infinity ? "inf" : x === -Infinity ? "-inf" : x);
const fromBound = (x: JsonBound): number => (x === "inf" ? Infinity : x === "-inf" ? -Infinity : x);

export function spaceToJson(space: Space): SpaceJson {
  switch (space.kind) {
    case "Box":
      return {
        kind: "Box",
        low: Array.from(space.low, toBound),
        high: Array.from(space.high, toBound),
        shape: space.shape,
        dtype: space.dtype,
      };
    case "Discrete":
      return { kind: "Discrete", n: space.n, start: space.start };
    case "MultiDiscrete":
      return { kind: "MultiDiscrete", nvec: space.nvec };
    case "MultiBinary":
      return { kind: "MultiBinary", shape: space.shape };
  }
}

/** @throws RangeError when the record names no known space or its values are out of range. */
export function spaceFromJson(json: SpaceJson): Space {
  switch (json.kind) {
    case "Box":
      return new Box({
        low: json.low.map(fromBound),
        high: json.high.map(fromBound),
        shape: json.shape,
        dtype: json.dtype,
      });
    case "Discrete":
      return new Discrete(json.n, { start: json.start });
    case "MultiDiscrete":
      return new MultiDiscrete(json.nvec);
    case "MultiBinary":
      return new MultiBinary(json.shape);
    default: {
      const { kind } = json as { readonly kind?: unknown };
      throw new RangeError(
        `space.kind: found ${JSON.stringify(kind)}, allowed Box, Discrete, MultiDiscrete, MultiBinary`,
      );
    }
  }
}
