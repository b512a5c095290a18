import type { ObservationKind } from "../../specs/networks.ts";
import type { Agents } from "./Agents.ts";
import type { Box } from "./Box.ts";
import type { Dict } from "./Dict.ts";
import type { Discrete } from "./Discrete.ts";
import { isImage } from "./image.ts";
import type { MultiBinary } from "./MultiBinary.ts";
import type { MultiDiscrete } from "./MultiDiscrete.ts";
import type { Tuple } from "./Tuple.ts";

/** Spaces that do not contain other spaces. */
export type SimpleSpace = Box | Discrete | MultiDiscrete | MultiBinary;

/** Any observation space or action space of one agent. */
export type SingleAgentSpace = SimpleSpace | Tuple | Dict;

/** Any observation space or action space; `kind` is the discriminant. */
export type Space = SingleAgentSpace | Agents;

/** Spaces whose elements concatenate the elements of simple spaces. */
export type CompositeSpace = Tuple | Dict | Agents;

export const isComposite = (space: Space): space is CompositeSpace =>
  space.kind === "Tuple" || space.kind === "Dict" || space.kind === "Agents";

/** Width of the space as a network's input: numbers unchanged, choices one-hot. */
export function flatSize(space: Space): number {
  switch (space.kind) {
    case "Box":
      return space.low.length;
    case "Discrete":
    case "MultiBinary":
      return space.n;
    case "MultiDiscrete":
      return space.nvec.reduce((sum, n) => sum + n, 0);
    case "Tuple":
    case "Dict":
    case "Agents":
      return space.parts.reduce((sum, part) => sum + flatSize(part.space), 0);
  }
}

/**
 * The kind of encoder input: a Box of three dimensions is an image; other simple spaces flatten to a vector.
 */
export function observationKind(space: Space): ObservationKind {
  if (space.kind === "Agents")
    return Object.values(space.spaces).every((own) => observationKind(own) === "vector") ? "vector" : "mixed";
  if (isComposite(space)) return "mixed";
  return isImage(space) ? "image" : "vector";
}

/** How many numbers represent one element of the space; 1 for a Discrete space. */
export function elementSize(space: Space): number {
  return space.shape.reduce((product, dim) => product * dim, 1);
}

/** Short description of a space for error messages. */
export function describeSpace(space: Space): string {
  switch (space.kind) {
    case "Box":
      return `${space.low.length} finite numbers (Box of shape [${space.shape.join(", ")}])`;
    case "Discrete":
      return `an integer from ${space.start} to ${space.start + space.n - 1} (Discrete)`;
    case "MultiDiscrete":
      return `${space.nvec.length} integers, each at least 0 and below its entry in [${space.nvec.join(", ")}] (MultiDiscrete)`;
    case "MultiBinary":
      return `${space.n} zeros or ones (MultiBinary)`;
    case "Tuple":
    case "Dict":
    case "Agents": {
      const parts = space.parts.map(({ key, space: part }) => `${key}: ${describeSpace(part)}`);
      return `${space.kind} of ${parts.join("; ")}`;
    }
  }
}
