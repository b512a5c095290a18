/** Spaces as plain JSON data, for checkpoints and messages between workers. */
import { Agents } from "./Agents.ts";
import { Box } from "./Box.ts";
import { Dict, Tuple } from "./Dict.ts";
import { Discrete, MultiBinary, MultiDiscrete } from "./Discrete.ts";
import type { SimpleSpace, SingleAgentSpace, Space } from "./Space.ts";
import type { SpaceDType } from "./values.ts";

/** A bound in JSON, which cannot represent infinities. */
type JsonBound = number | "inf" | "-inf";

type SimpleSpaceJson =
  | {
      readonly kind: "Box";
      readonly low: readonly JsonBound[];
      readonly high: readonly JsonBound[];
      readonly shape: readonly number[];
      readonly dtype: SpaceDType;
      readonly stacked?: true;
    }
  | { readonly kind: "Discrete"; readonly n: number; readonly start: number }
  | { readonly kind: "MultiDiscrete"; readonly nvec: readonly number[] }
  | { readonly kind: "MultiBinary"; readonly shape: readonly number[] };

type SingleAgentSpaceJson =
  | SimpleSpaceJson
  | { readonly kind: "Tuple"; readonly spaces: readonly SimpleSpaceJson[] }
  | { readonly kind: "Dict"; readonly spaces: Readonly<Record<string, SimpleSpaceJson>> };

export type SpaceJson =
  | SingleAgentSpaceJson
  | { readonly kind: "Agents"; readonly spaces: Readonly<Record<string, SingleAgentSpaceJson>> };

const toBound = (x: number): JsonBound => (x === Infinity ? "inf" : x === -Infinity ? "-inf" : x);
const fromBound = (x: JsonBound): number => (x === "inf" ? Infinity : x === "-inf" ? -Infinity : x);

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]));

export const spaceToJson = (space: Space): SpaceJson =>
  space.kind === "Agents"
    ? { kind: "Agents", spaces: mapValues(space.spaces, singleToJson) }
    : singleToJson(space);

function singleToJson(space: SingleAgentSpace): SingleAgentSpaceJson {
  switch (space.kind) {
    case "Tuple":
      return { kind: "Tuple", spaces: space.spaces.map(simpleToJson) };
    case "Dict":
      return { kind: "Dict", spaces: mapValues(space.spaces, simpleToJson) };
    default:
      return simpleToJson(space);
  }
}

function simpleToJson(space: SimpleSpace): SimpleSpaceJson {
  switch (space.kind) {
    case "Box":
      return {
        kind: "Box",
        low: Array.from(space.low, toBound),
        high: Array.from(space.high, toBound),
        shape: space.shape,
        dtype: space.dtype,
        ...(space.stacked && { stacked: true }),
      };
    case "Discrete":
      return { kind: "Discrete", n: space.n, start: space.start };
    case "MultiDiscrete":
      return { kind: "MultiDiscrete", nvec: space.nvec };
    case "MultiBinary":
      return { kind: "MultiBinary", shape: space.shape };
  }
}

/** @throws RangeError when the kind is unknown or a value is out of range. */
export const spaceFromJson = (json: SpaceJson): Space =>
  json.kind === "Agents" ? new Agents(mapValues(json.spaces, singleFromJson)) : singleFromJson(json);

function singleFromJson(json: SingleAgentSpaceJson): SingleAgentSpace {
  switch (json.kind) {
    case "Tuple":
      return new Tuple(json.spaces.map(simpleFromJson));
    case "Dict":
      return new Dict(mapValues(json.spaces, simpleFromJson));
    default:
      return simpleFromJson(json);
  }
}

function simpleFromJson(json: SimpleSpaceJson): SimpleSpace {
  switch (json.kind) {
    case "Box":
      return new Box({
        low: json.low.map(fromBound),
        high: json.high.map(fromBound),
        shape: json.shape,
        dtype: json.dtype,
        stacked: json.stacked === true,
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
        `space.kind: found ${JSON.stringify(kind)}, allowed Box, Discrete, MultiDiscrete, MultiBinary, Tuple, Dict, Agents`,
      );
    }
  }
}
